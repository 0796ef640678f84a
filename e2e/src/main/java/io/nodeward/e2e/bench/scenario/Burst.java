package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.LoggedRequest;
import io.nodeward.e2e.bench.load.RequestLog;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** All Machines change at once while the controller runs: it and those who change them share the API server. */
class Burst extends PairedScenario {
    /** Changes after which a controller counts as warm. */
    private static final int WARM = 500;

    Burst(String name, int size, Setup setup) {
        super(name, size, setup);
    }

    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(List.of(Turn.each("ideal", this::apart)));
        setup.entrants().usual().forEach(contender -> turns.add(Turn.each(contender.name(), run(contender))));
        setup.entrants().asShipped().forEach(contender -> turns.add(Turn.once(contender.name(), run(contender))));
        return turns;
    }

    final Run run(Contender contender) {
        return (pair, samples) -> burst(contender, pair, samples);
    }

    private void burst(Contender contender, int pair, Consumer<Sample> samples) {
        try (Running running = contender.start(setup.bed())) {
            setup.awaitWorking(running);
            Figures figures = new Figures();
            warmUp(running, figures);
            setup.bed().awaitQuiet();
            measure(running, figures);
            samples.accept(figures.sample(name(), contender.name(), pair));
        }
    }

    private void warmUp(Running running, Figures figures) {
        int count = Math.min(size(), WARM);
        CpuTimes before = setup.cpu(running);
        CpuTimes taken = setup.change(running, count).cpu().since(before);
        figures.cpuPer("cold_cpu_ms_per_node", taken.controllers(), count);
    }

    private void measure(Running running, Figures figures) {
        Testbed bed = setup.bed();
        int value = bed.nextValue();
        long[] acknowledged = new long[size()];
        long mark = bed.requests().mark();
        CpuTimes before = setup.cpu(running);
        try (Round round = Round.expect(bed.nodes(), value, size())) {
            long start = System.nanoTime();
            bed.declare(size(), value, acknowledged);
            long declared = System.nanoTime();
            round.await(Setup.patience(size()), running::check);
            RequestLog.Settled end = setup.settled(running);
            CpuTimes taken = end.cpu().since(before);
            List<LoggedRequest> requests = Requests.ofRunning(bed.requests().since(mark));
            bed.say("  besides: " + Requests.others(requests));
            long[] seen = round.seen();
            double[] latencies = IntStream.range(0, size())
                    .mapToDouble(i -> Figures.millis(acknowledged[i], seen[i])).toArray();
            figures.seconds("triggers_s", declared - start)
                    .seconds("last_node_s", round.last() - start)
                    .seconds("settled_s", Math.max(end.lastRequest(), round.last()) - start)
                    .put("nodes_per_s", size() / ((round.last() - start) / 1e9))
                    .distribution("latency_", latencies)
                    .requests(requests, size())
                    .cpu(taken)
                    .cpuPer("cpu_ms_per_node", taken.controllers(), size())
                    .put("rss_mib", running.rssMib())
                    .series("latency_ms", latencies)
                    .series("seen_s", Figures.secondsSince(start, round.inOrder()));
        }
    }

    /** What the changes take without a controller, then what the writes take without the changes. */
    private void apart(int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        setup.ideal().prepare(size(), setup.quick());
        bed.awaitQuiet();
        int value = bed.nextValue();
        CpuTimes before = bed.cpu(List.of());
        long start = System.nanoTime();
        bed.declare(size(), value, new long[size()]);
        samples.accept(new Figures()
                .seconds("triggers_s", System.nanoTime() - start)
                .put("apiserver_cpu_s", bed.cpu(List.of()).since(before).apiServer())
                .sample(name(), "triggers-alone", pair));
        bed.awaitQuiet();
        before = bed.cpu(List.of());
        try (Round round = Round.expect(bed.nodes(), value, size())) {
            start = System.nanoTime();
            setup.ideal().write(size(), value);
            round.await(Setup.patience(size()), () -> {});
            samples.accept(new Figures()
                    .seconds("last_node_s", round.last() - start)
                    .put("nodes_per_s", size() / ((round.last() - start) / 1e9))
                    .put("apiserver_cpu_s", bed.cpu(List.of()).since(before).apiServer())
                    .sample(name(), "patches-alone", pair));
        }
    }
}
