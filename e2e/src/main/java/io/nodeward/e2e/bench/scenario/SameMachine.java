package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;

/** One Machine changes again as soon as its Node is seen to have the last change. */
final class SameMachine extends Steady {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CHANGES = 30;

    SameMachine(int size, Setup setup) {
        super("same-machine", size, setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        Testbed bed = setup.bed();
        double[] latencies = new double[CHANGES];
        for (int k = 0; k < CHANGES; k++) {
            int value = bed.nextValue();
            try (Round round = Round.expectOne(bed.nodes(), value, 0)) {
                long start = System.nanoTime();
                bed.fleet().declare(0, value);
                round.await(PATIENCE, running::check);
                latencies[k] = Figures.millis(start, round.last());
            }
        }
        figures.distribution("", latencies).series("latency_ms", latencies);
        return CHANGES;
    }
}
