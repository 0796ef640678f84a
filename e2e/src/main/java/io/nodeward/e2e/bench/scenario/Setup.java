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

    /** And sometimes so much that only a restart, which forgets its back-offs, gets it done in time. */
    private static final int STARTS = 3;

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
        for (int starts = 1; !broughtToRestBy(first, starts == STARTS); starts++) {
            bed.say(first.name() + " does not get done with %,d Machines: started anew".formatted(bed.size()));
        }
        bed.say("brought to rest by " + first.name() + " in %.1f s".formatted((System.nanoTime() - start) / 1e9));
        bed.awaitQuiet();
    }

    /** Returns whether it got done; when it did not, and this was the last try, it throws instead. */
    private boolean broughtToRestBy(Contender contender, boolean last) {
        try (Running running = contender.start(bed)) {
            boolean done = becomesLevel(running);
            if (done) {
                settled(running);
            } else if (last) {
                throw new IllegalStateException(contender.name() + " does not get done:\n" + running.tail());
            }
            return done;
        }
    }

    private boolean becomesLevel(Running running) {
        long end = System.nanoTime() + patience(bed.size()).toNanos();
        while (!bed.isLevel()) {
            running.check();
            Pause.of(Duration.ofMillis(200));
            if (System.nanoTime() - end > 0) {
                return false;
            }
        }
        return true;
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
