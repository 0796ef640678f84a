package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** One Machine changes 20 times a second: the last state counts, and how far the Node is behind meanwhile. */
final class TwentyPerSecond extends Steady {
    private static final Duration BETWEEN = Duration.ofMillis(50);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** In which a late write of an old value would show. */
    private static final Duration AFTERWARDS = Duration.ofSeconds(2);

    private static final int CHANGES = 400;

    TwentyPerSecond(int size, Setup setup) {
        super("twenty-per-second", size, setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        Testbed bed = setup.bed();
        int changes = setup.quick() ? 40 : CHANGES;
        int first = bed.nextValue();
        long[] sent = new long[changes];
        long[] seen = new long[changes];
        AtomicInteger next = new AtomicInteger();
        // A newer value on the Node has overtaken the older ones: they are as good as seen.
        bed.nodes().tell((index, value, at) -> {
            int upTo = Math.min(value - first, changes - 1);
            if (index == 0 && upTo >= next.get()) {
                Arrays.fill(seen, next.get(), upTo + 1, at);
                next.set(upTo + 1);
            }
        });
        change(first, sent);
        awaitLast(first + changes - 1, running);
        Pause.of(AFTERWARDS);
        bed.nodes().tellNobody();
        double[] latencies = new double[changes];
        Arrays.setAll(latencies, k -> Figures.millis(sent[k], seen[k]));
        figures.distribution("", latencies).series("latency_ms", latencies)
                .put("lag_ms", latencies[changes - 1]).put("changes", changes)
                .put("final_right", bed.nodes().value(0) == first + changes - 1 ? 1 : 0);
        return changes;
    }

    private void change(int first, long[] sent) {
        long start = System.nanoTime();
        for (int k = 0; k < sent.length; k++) {
            Pause.until(start + k * BETWEEN.toNanos());
            sent[k] = System.nanoTime();
            setup.bed().fleet().declare(0, first + k);
            if (k < sent.length - 1) {
                setup.bed().nextValue();
            }
        }
    }

    private void awaitLast(int value, Running running) {
        long start = System.nanoTime();
        while (setup.bed().nodes().value(0) != value) {
            running.check();
            Pause.of(Duration.ofMillis(20));
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("the Node never got the last value, v" + value);
            }
        }
    }
}
