package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;

/** Somebody takes the taint off a Node by hand: how long until it is there again. */
final class Drift extends Part {
    private static final Duration BETWEEN = Duration.ofMillis(30);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TAKEN_OFF = 200;

    Drift(Setup setup) {
        super("drift", setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        double[] latencies = new double[setup.quick() ? 30 : TAKEN_OFF];
        for (int k = 0; k < latencies.length; k++) {
            latencies[k] = takeOff(k % size(), running);
            Pause.of(BETWEEN);
        }
        figures.distribution("", latencies).series("latency_ms", latencies);
        return latencies.length;
    }

    /** Milliseconds from sending the removal to the event of the Node that has the taint again. */
    private double takeOff(int index, Running running) {
        Testbed bed = setup.bed();
        try (Round round = Round.expectBack(bed.nodes(), bed.fleet().declared(index), index)) {
            long start = System.nanoTime();
            bed.fleet().takeOff(index);
            round.await(PATIENCE, running::check);
            return Figures.millis(start, round.last());
        }
    }
}
