package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Somebody takes the taint off a Node by hand: how long until it is there again. */
final class Drift extends Steady {
    private static final Duration BETWEEN = Duration.ofMillis(30);
    private static final int PATIENCE_SECONDS = 60;
    private static final int TAKEN_OFF = 200;

    Drift(int size, Setup setup) {
        super("drift", size, setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        int count = setup.quick() ? 30 : TAKEN_OFF;
        double[] latencies = new double[count];
        for (int k = 0; k < count; k++) {
            latencies[k] = takeOff(k % size());
            Pause.of(BETWEEN);
        }
        figures.distribution("", latencies).series("latency_ms", latencies);
        return count;
    }

    /** Milliseconds from sending the removal to the event of the Node that has the taint again. */
    private double takeOff(int index) {
        Testbed bed = setup.bed();
        int wanted = bed.fleet().declared(index);
        CompletableFuture<Long> back = new CompletableFuture<>();
        boolean[] gone = new boolean[1];
        bed.nodes().tell((place, value, at) -> {
            if (place == index && value == 0) {
                gone[0] = true;
            } else if (place == index && value == wanted && gone[0]) {
                back.complete(at);
            }
        });
        try {
            long start = System.nanoTime();
            bed.fleet().takeOff(index);
            return Figures.millis(start, back.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the taint was not seen again within " + PATIENCE_SECONDS + " s", e);
        } finally {
            bed.nodes().tellNobody();
        }
    }
}
