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
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * All Machines change while the controller is off; then it is started. Nothing but the controller and the API server
 * works while it catches up, so this is how fast it writes.
 */
final class Drain extends PairedScenario {
    Drain(int size, Setup setup) {
        super("drain-" + size, size, setup);
    }

    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(List.of(Turn.each("ideal", this::ideal)));
        for (Contender contender : setup.entrants().usual()) {
            turns.add(Turn.each(contender.name(), (pair, samples) -> drain(contender, pair, samples)));
        }
        for (Contender contender : setup.entrants().asShipped()) {
            turns.add(Turn.once(contender.name(), (pair, samples) -> drain(contender, pair, samples)));
        }
        return turns;
    }

    private int changeAll() {
        Testbed bed = setup.bed();
        int value = bed.nextValue();
        bed.declare(size(), value, new long[size()]);
        bed.awaitQuiet();
        return value;
    }

    private void drain(Contender contender, int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        int value = changeAll();
        long mark = bed.requests().mark();
        CpuTimes before = bed.cpu(List.of());
        try (Round round = Round.expect(bed.nodes(), value, size());
                Running running = contender.start(bed)) {
            round.await(Setup.patience(size()), running::check);
            RequestLog.Settled end = setup.settled(running);
            OptionalDouble peak = running.peakRssMib();
            List<LoggedRequest> requests = Requests.ofStarted(bed.requests().since(mark));
            bed.say("  besides: " + Requests.others(requests));
            Figures figures = times(round, running.startedAt())
                    .seconds("settled_s", Math.max(end.lastRequest(), round.last()) - running.startedAt())
                    .requests(requests, size())
                    .cpu(end.cpu().since(before))
                    .put("peak_rss_mib", peak);
            samples.accept(figures.sample(name(), contender.name(), pair));
        }
    }

    private void ideal(int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        setup.ideal().prepare(size(), setup.quick());
        int value = changeAll();
        CpuTimes before = bed.cpu(List.of());
        try (Round round = Round.expect(bed.nodes(), value, size())) {
            long start = System.nanoTime();
            setup.ideal().write(size(), value);
            round.await(Setup.patience(size()), () -> {});
            CpuTimes taken = bed.cpu(List.of()).since(before);
            Figures figures = times(round, start)
                    .put("apiserver_cpu_s", taken.apiServer())
                    .put("etcd_cpu_s", taken.etcd())
                    .put("bench_cpu_s", taken.bench());
            samples.accept(figures.sample(name(), "ideal", pair));
        }
    }

    private Figures times(Round round, long start) {
        long[] seen = round.inOrder();
        long between = seen[seen.length - 1] - seen[0];
        return new Figures()
                .seconds("first_node_s", seen[0] - start)
                .seconds("last_node_s", seen[seen.length - 1] - start)
                .seconds("between_s", between)
                .put("nodes_per_s", (seen.length - 1) / (between / 1e9))
                .series("seen_s", Figures.secondsSince(seen[0], seen));
    }
}
