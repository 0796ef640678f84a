package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.LoggedRequest;
import io.nodeward.e2e.bench.load.RequestLog;
import java.util.List;
import java.util.function.Consumer;

/** Something that happens while a controller runs, has been warmed up and has nothing else to do. */
abstract class Steady extends PairedScenario {
    /** Changes after which a controller counts as warm. */
    private static final int WARM = 500;

    Steady(String name, int size, Setup setup) {
        super(name, size, setup);
    }

    /** One measured; returns how many Nodes had to be written for it. */
    abstract int measure(Contender contender, Running running, Figures figures);

    @Override
    List<Turn> turns() {
        return oneByOne(contender -> (pair, samples) -> steady(contender, pair, samples));
    }

    final boolean isNodeward(Contender contender) {
        return setup.entrants().nodeward().contains(contender);
    }

    void warmUp(Running running) {
        setup.change(running, Math.min(size(), setup.quick() ? 20 : WARM));
    }

    private void steady(Contender contender, int pair, Consumer<Sample> samples) {
        try (Running running = contender.start(setup.bed())) {
            setup.awaitWorking(running);
            warmUp(running);
            setup.bed().awaitQuiet();
            long mark = setup.bed().requests().mark();
            CpuTimes before = setup.cpu(running);
            Figures figures = new Figures();
            int written = measure(contender, running, figures);
            RequestLog.Settled end = setup.settled(running);
            CpuTimes taken = end.cpu().since(before);
            List<LoggedRequest> requests = Requests.ofRunning(setup.bed().requests().since(mark));
            setup.bed().say("  besides: " + Requests.others(requests));
            figures.requests(requests, written)
                    .cpu(taken)
                    .cpuPer("cpu_ms_per_node", taken.controllers(), written);
            samples.accept(figures.sample(name(), contender.name(), pair));
        }
    }
}
