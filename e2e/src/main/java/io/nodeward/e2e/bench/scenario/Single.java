package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Observer;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One Machine after the other changes, while nothing else happens: how long until its Node is seen to have it. */
final class Single extends Steady {
    private static final Duration BETWEEN = Duration.ofMillis(10);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int CHANGES = 1_000;
    /** It takes longer for each, and its own spread is small. */
    private static final int CHANGES_OF_UPSTREAM = 200;

    Single(int size, Setup setup) {
        super("single", size, setup);
    }

    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(List.of(Turn.each("ideal", this::ideal)));
        turns.addAll(super.turns());
        return turns;
    }

    private int changes(int usual) {
        return setup.quick() ? Math.min(usual, 50) : usual;
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        int changes = changes(isNodeward(contender) ? CHANGES : CHANGES_OF_UPSTREAM);
        double[] latencies = new double[changes];
        for (int k = 0; k < changes; k++) {
            latencies[k] = change(k % size(), running);
            Pause.of(BETWEEN);
        }
        figures.distribution("", latencies).series("latency_ms", latencies);
        return changes;
    }

    /** Milliseconds from sending the change of the Machine to the event of its Node. */
    private double change(int index, Running running) {
        Testbed bed = setup.bed();
        int value = bed.nextValue();
        try (Round round = Round.expectOne(bed.nodes(), value, index)) {
            long start = System.nanoTime();
            bed.fleet().declare(index, value);
            round.await(PATIENCE, running::check);
            return Figures.millis(start, round.last());
        }
    }

    /** The two writes that cannot be done without, each until its own watch shows it. */
    private void ideal(int pair, Consumer<Sample> samples) {
        double[] latencies = new double[changes(CHANGES)];
        double[] machines = new double[latencies.length];
        try (Observer watch = setup.bed().watchMachines()) {
            for (int k = -Math.min(200, latencies.length); k < latencies.length; k++) { // the first ones make it warm
                int index = Math.floorMod(k, size());
                int value = setup.bed().nextValue();
                double machine = timed(watch, value, index, () -> setup.bed().fleet().declare(index, value));
                double node = timed(setup.bed().nodes(), value, index, () -> setup.ideal().writeOne(index, value));
                if (k >= 0) {
                    machines[k] = machine;
                    latencies[k] = machine + node;
                }
                Pause.of(BETWEEN);
            }
        }
        samples.accept(new Figures()
                .distribution("", latencies)
                .distribution("machine_", machines)
                .series("latency_ms", latencies)
                .sample(name(), "ideal", pair));
    }

    private static double timed(Observer observer, int value, int index, Runnable write) {
        try (Round round = Round.expectOne(observer, value, index)) {
            long start = System.nanoTime();
            write.run();
            round.await(PATIENCE, () -> {});
            return Figures.millis(start, round.last());
        }
    }
}
