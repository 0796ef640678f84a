package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.bench.load.Observer;
import io.nodeward.e2e.bench.load.RequestLog;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Twice all Machines change. First while the controller is off; then it is started, and catches up while nothing but it
 * and the API server works: the drain, how fast it writes. Warm by that, it meets the second change while it runs: the
 * burst, in which it shares the API server with those who change Machines. With a small fleet also for those who are
 * too slow for a large one, and for Nodeward beside an upstream manager that leaves taints alone: the fair pair.
 */
final class DrainAndBurst extends PairedScenario {
    private static final String FAIR_PAIR = "fair-pair";

    private final String drain;
    private final String burst;
    private final boolean small;

    private DrainAndBurst(List<String> names, int size, boolean small, Setup setup) {
        super(names, size, setup);
        this.drain = names.get(0);
        this.burst = names.get(1);
        this.small = small;
    }

    static DrainAndBurst small(int size, Setup setup) {
        return new DrainAndBurst(List.of("drain-" + size, "burst-" + size, FAIR_PAIR), size, true, setup);
    }

    static DrainAndBurst large(int size, Setup setup) {
        return new DrainAndBurst(List.of("drain-" + size, "burst-" + size), size, false, setup);
    }

    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(List.of(Turn.each("ideal", this::ideal)));
        setup.entrants().usual().forEach(contender -> turns.add(Turn.each(contender.name(), run(contender))));
        if (small) {
            setup.entrants().shared().forEach(contender -> turns.add(Turn.each(contender.name(), run(contender))));
            setup.entrants().asShipped().forEach(contender -> turns.add(Turn.once(contender.name(), run(contender))));
        }
        return turns;
    }

    private Run run(Contender contender) {
        boolean shared = setup.entrants().shared().contains(contender);
        boolean inFairPair = small && (shared || setup.entrants().raised().contains(contender));
        return (pair, samples) -> {
            Testbed bed = setup.bed();
            int value = bed.nextValue();
            bed.declare(size(), value, new long[size()]);
            bed.awaitQuiet();
            AuditLog.Mark mark = bed.requests().mark();
            CpuTimes before = bed.cpu(List.of());
            try (Round round = Round.expect(bed.nodes(), value, size()); Running running = contender.start(bed)) {
                Figures drained = drain(round, running, mark, before);
                if (!shared) {
                    samples.accept(drained.sample(drain, contender.name(), pair));
                }
                bed.awaitQuiet();
                Figures burnt = burst(running);
                if (!shared) {
                    samples.accept(burnt.sample(burst, contender.name(), pair));
                }
                if (inFairPair) {
                    samples.accept(burnt.sample(FAIR_PAIR, contender.name(), pair));
                }
            }
        };
    }

    private Figures drain(Round round, Running running, AuditLog.Mark mark, CpuTimes before) {
        round.await(Setup.patience(size()), running::check);
        RequestLog.Settled end = setup.settled(running);
        CpuTimes taken = end.cpu().since(before);
        List<AuditRequest> requests = Requests.ofStarted(setup.bed().requests().since(mark));
        setup.bed().say("  besides: " + Requests.others(requests));
        return fromFirstToLast(round, running.startedAt())
                .seconds("settled_s", Math.max(end.lastRequest(), round.last()) - running.startedAt())
                .requests(requests, size())
                .cpu(taken)
                .cpuPer("cold_cpu_ms_per_node", taken.controllers(), size())
                .put("peak_rss_mib", running.peakRssMib());
    }

    static Figures fromFirstToLast(Round round, long start) {
        long[] seen = round.inOrder();
        long between = seen[seen.length - 1] - seen[0];
        return new Figures()
                .seconds("first_node_s", seen[0] - start)
                .seconds("last_node_s", seen[seen.length - 1] - start)
                .seconds("between_s", between)
                .put("nodes_per_s", (seen.length - 1) / (between / 1e9))
                .series("seen_s", Figures.secondsSince(seen[0], seen));
    }

    private Figures burst(Running running) {
        Testbed bed = setup.bed();
        return new Burst(setup, size()).of(running, (value, sent) -> bed.declare(size(), value, sent));
    }

    /** What the changes take without a controller, then what the writes take without the changes. */
    private void ideal(int pair, Consumer<Sample> samples) {
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
                .sample(burst, "triggers-alone", pair));
        bed.awaitQuiet();
        before = bed.cpu(List.of());
        try (Observer own = setup.ideal().watch(); Round round = Round.expect(bed.nodes(), value, size())) {
            start = System.nanoTime();
            setup.ideal().write(size(), value);
            round.await(Setup.patience(size()), () -> {});
            CpuTimes taken = bed.cpu(List.of()).since(before);
            samples.accept(Burst.writes(fromFirstToLast(round, start), taken).sample(drain, "ideal", pair));
            samples.accept(
                    Burst.writes(Burst.sinceStart(round, start, size()), taken).sample(burst, "patches-alone", pair));
        }
    }
}
