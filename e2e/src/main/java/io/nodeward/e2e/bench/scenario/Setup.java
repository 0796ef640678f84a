package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.IdealClient;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.RequestLog;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * What all scenarios share.
 *
 * @param quick small and short: to see that everything works
 */
public record Setup(Testbed bed, IdealClient ideal, Entrants entrants, boolean quick) {
    /** The upstream manager gets in its own way when it meets more new Machines at once. */
    private static final int STEP = 500;

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration PATIENCE_PER_NODE = Duration.ofMillis(300);

    /**
     * Sees to it that the fleet is at least of this size, and that controllers have nothing to do on it: the upstream
     * manager has been over it, or who else is there.
     */
    void fleet(int size) {
        while (bed.size() < size) {
            bed.grow(Math.min(size, bed.size() + STEP));
            bringToRest();
        }
    }

    private void bringToRest() {
        Contender first = Stream.concat(entrants.raised().stream(), entrants.nodeward().stream())
                .findFirst().orElseThrow();
        long start = System.nanoTime();
        try (Running running = first.start(bed)) {
            while (!bed.isLevel()) {
                running.check();
                Pause.of(Duration.ofMillis(200));
                if (System.nanoTime() - start > patience(bed.size()).toNanos()) {
                    throw new IllegalStateException(first.name() + " does not get done:\n" + running.tail());
                }
            }
            settled(running);
        }
        bed.say("brought to rest by " + first.name() + " in %.1f s".formatted((System.nanoTime() - start) / 1e9));
        bed.awaitQuiet();
    }

    /** Longer than the slowest takes for so many, which works off 15 a second. */
    static Duration patience(int count) {
        return PATIENCE.plus(PATIENCE_PER_NODE.multipliedBy(count));
    }

    /** Returns when the contender has carried one change, so that its caches are filled, and rests. */
    void awaitWorking(Running running) {
        int last = bed.size() - 1;
        int value = bed.nextValue();
        try (Round round = Round.expectOne(bed.nodes(), value, last)) {
            bed.fleet().declare(last, value);
            round.await(PATIENCE, running::check);
        }
        settled(running);
    }

    RequestLog.Settled settled(Running running) {
        running.check();
        return bed.requests().settled(() -> cpu(running));
    }

    CpuTimes cpu(Running running) {
        return bed.cpu(running.pids());
    }

    /** Changes so many Machines and returns when it is on all Nodes; the end of it. */
    RequestLog.Settled change(Running running, int count) {
        int value = bed.nextValue();
        try (Round round = Round.expect(bed.nodes(), value, count)) {
            bed.declare(count, value, new long[count]);
            round.await(patience(count), running::check);
        }
        return settled(running);
    }
}
