package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Observer;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;

/**
 * Machines change one after the other, while nothing else happens: how long until the Node is seen to have it. Either
 * each time another Machine after a short rest, or the same one again as soon as its Node has the last change.
 */
final class OneByOne extends Part {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Of the ideal client, which runs in the JVM of the bench, until it is warm. */
    private static final int WARM = 200;

    private final int machines;
    private final Duration between;
    private final int changes;
    private final int changesOfUpstream;

    private OneByOne(
            String name, int machines, Duration between, int changes, int changesOfUpstream, Setup setup) {
        super(name, setup);
        this.machines = machines;
        this.between = between;
        this.changes = changes;
        this.changesOfUpstream = changesOfUpstream;
    }

    /** The upstream manager takes longer for each, and its own spread is small: fewer of them. */
    static OneByOne single(Setup setup) {
        int changes = setup.quick() ? 50 : 1_000;
        return new OneByOne("single", Integer.MAX_VALUE, Duration.ofMillis(10), changes, Math.min(changes, 200), setup);
    }

    static OneByOne sameMachine(Setup setup) {
        return new OneByOne("same-machine", 1, Duration.ZERO, 30, 30, setup);
    }

    private int index(int k) {
        return Math.floorMod(k, Math.min(size(), machines));
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        boolean nodeward = setup.entrants().nodeward().contains(contender);
        double[] latencies = new double[nodeward ? changes : changesOfUpstream];
        for (int k = 0; k < latencies.length; k++) {
            int index = index(k);
            int value = setup.bed().nextValue();
            latencies[k] = timed(
                    setup.bed().nodes(), value, index, () -> setup.bed().fleet().declare(index, value), running::check);
            Pause.of(between);
        }
        figures.distribution("", latencies).series("latency_ms", latencies);
        return latencies.length;
    }

    /** The two writes that cannot be done without, each until its own watch shows it. */
    Figures ideal() {
        Testbed bed = setup.bed();
        double[] latencies = new double[changes];
        double[] hops = new double[changes];
        try (Observer watch = bed.watchMachines()) {
            for (int k = -(setup.quick() ? Math.min(WARM, changes) : WARM); k < changes; k++) {
                int index = index(k);
                int value = bed.nextValue();
                double machine = timed(watch, value, index, () -> bed.fleet().declare(index, value), () -> {});
                double node = timed(bed.nodes(), value, index, () -> setup.ideal().writeOne(index, value), () -> {});
                if (k >= 0) {
                    hops[k] = machine;
                    latencies[k] = machine + node;
                }
                Pause.of(between);
            }
        }
        return new Figures()
                .distribution("", latencies)
                .distribution("machine_", hops)
                .series("latency_ms", latencies);
    }

    /** Milliseconds from sending to the event. */
    private static double timed(Observer observer, int value, int index, Runnable write, Runnable check) {
        try (Round round = Round.expectOne(observer, value, index)) {
            long start = System.nanoTime();
            write.run();
            round.await(PATIENCE, check);
            return Figures.millis(start, round.last());
        }
    }
}
