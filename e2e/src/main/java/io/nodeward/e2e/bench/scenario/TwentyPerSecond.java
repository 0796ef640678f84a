package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** One Machine changes 20 times a second: the last state counts, and how far the Node is behind meanwhile. */
final class TwentyPerSecond extends Part {
    private static final Duration BETWEEN = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** In which a late write of an old value would show. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(2);

    private static final int CHANGES = 200;

    TwentyPerSecond(Setup setup) {
        super("twenty-per-second", setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        Testbed bed = setup.bed();
        int cuts = bed.nodes().cuts();
        int changes = setup.quick() ? 40 : CHANGES;
        int first = bed.nextValue();
        long[] seen = new long[changes];
        follow(first, seen);
        long start = System.nanoTime();
        change(start, first, changes);
        awaitLast(first + changes - 1, cuts, running);
        Pause.of(AFTERWARDS);
        bed.nodes().tellNobody();
        bed.nodes().requireUncut(cuts);
        double[] latencies = new double[changes];
        // Since it was due: had it waited for the one before, that would be a wait as well.
        Arrays.setAll(latencies, k -> Figures.millis(due(start, k), seen[k]));
        figures.distribution("", latencies).series("latency_ms", latencies)
                .put("lag_ms", latencies[changes - 1]).put("changes", changes)
                .put("final_right", bed.nodes().value(0) == first + changes - 1 ? 1 : 0);
        return changes;
    }

    private static long due(long start, int k) {
        return start + k * BETWEEN.toNanos();
    }

    /** A newer value on the Node has overtaken the older ones: they are as good as seen. */
    private void follow(int first, long[] seen) {
        AtomicInteger next = new AtomicInteger();
        setup.bed().nodes().tell((index, value, at) -> {
            int upTo = Math.min(value - first, seen.length - 1);
            if (index == 0 && upTo >= next.get()) {
                Arrays.fill(seen, next.get(), upTo + 1, at);
                next.set(upTo + 1);
            }
        });
    }

    private void change(long start, int first, int changes) {
        for (int k = 0; k < changes; k++) {
            Pause.until(due(start, k));
            setup.bed().fleet().declare(0, first + k);
            if (k < changes - 1) {
                setup.bed().nextValue();
            }
        }
    }

    private void awaitLast(int value, int cuts, Running running) {
        long start = System.nanoTime();
        while (setup.bed().nodes().value(0) != value) {
            running.check();
            setup.bed().nodes().requireUncut(cuts);
            Pause.of(Duration.ofMillis(20));
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("the Node never got the last value, v" + value);
            }
        }
    }
}
