package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.RequestLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** What a controller meets that has been started and warmed up once: one part after the other, each a sample. */
final class Steady extends PairedScenario {
    /** Changes after which a controller counts as warm. */
    private static final int WARM = 500;
    /** Longer than the observer takes to read all Nodes anew. */
    private static final Duration READ_ANEW = Duration.ofSeconds(30);

    private final List<Part> parts;

    private Steady(List<Part> parts, int size, Setup setup) {
        super(parts.stream().map(Part::name).toList(), size, setup);
        this.parts = parts;
    }

    static Steady all(int size, Setup setup) {
        return new Steady(List.of(
                OneByOne.single(setup),
                OneByOne.sameMachine(setup),
                new TwentyPerSecond(setup),
                new Drift(setup),
                new Idle(setup),
                new HeartbeatCost(setup),
                new HeartbeatsBurst(setup)), size, setup);
    }

    @Override
    public Steady only(Collection<String> wanted) {
        return new Steady(parts.stream().filter(part -> wanted.contains(part.name())).toList(), size(), setup);
    }

    /** The upstream manager as it ships once, but in each pair in what a goal compares with it. */
    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>();
        List<OneByOne> ideal = parts.stream().filter(OneByOne.class::isInstance).map(OneByOne.class::cast).toList();
        if (!ideal.isEmpty()) {
            turns.add(Turn.each("ideal", (pair, samples) -> ideal(ideal, pair, samples)));
        }
        setup.entrants().nodeward().forEach(contender -> turns.add(Turn.each(
                contender.name(), (pair, samples) -> steady(contender, parts, pair, samples))));
        List<Part> again = parts.stream().filter(HeartbeatCost.class::isInstance).toList();
        setup.entrants().asShipped().forEach(contender -> turns.add(new Turn(
                contender.name(), again.isEmpty() ? 1 : Integer.MAX_VALUE,
                (pair, samples) -> steady(contender, pair == 1 ? parts : again, pair, samples))));
        return turns;
    }

    private void ideal(List<OneByOne> hops, int pair, Consumer<Sample> samples) {
        setup.ideal().prepare(size(), setup.quick());
        for (OneByOne part : hops) {
            take(part.name() + ", ideal", pair, samples, (same, to) -> to.accept(
                    part.ideal().put("fleet", size()).sample(part.name(), "ideal", same)));
        }
    }

    private void steady(Contender contender, List<Part> wanted, int pair, Consumer<Sample> samples) {
        try (Running running = contender.start(setup.bed())) {
            setup.awaitWorking(running);
            setup.change(running, Math.min(size(), setup.quick() ? 20 : WARM));
            for (Part part : wanted) {
                String what = part.name() + ", " + contender.name();
                int cuts = setup.bed().nodes().cuts();
                take(what, pair, samples, (same, to) -> to.accept(
                        measure(part, contender, running).sample(part.name(), contender.name(), same)));
                if (!isLevel(cuts)) {
                    failed(what, pair, new IllegalStateException("it leaves Nodes with another value than declared"));
                }
            }
        }
    }

    /** Whether it left all Nodes as declared; an observer that was cut since then sees it only when it has read them anew. */
    private boolean isLevel(int cutsBefore) {
        long start = System.nanoTime();
        while (!setup.bed().isLevel()) {
            if (setup.bed().nodes().cuts() == cutsBefore || System.nanoTime() - start > READ_ANEW.toNanos()) {
                return false;
            }
            Pause.of(Duration.ofMillis(200));
        }
        return true;
    }

    private Figures measure(Part part, Contender contender, Running running) {
        running.check();
        part.prepare();
        AuditLog.Mark mark = setup.bed().requests().mark();
        CpuTimes before = setup.cpu(running);
        Figures figures = new Figures().put("fleet", size());
        int written = part.measure(contender, running, figures);
        RequestLog.Settled end = setup.settled(running);
        CpuTimes taken = end.cpu().since(before);
        List<AuditRequest> all = setup.bed().requests().since(mark);
        setup.bed().say("  besides: " + Requests.others(all));
        List<AuditRequest> requests = Requests.ofRunning(all);
        return written == 0
                ? figures.put("writes", requests.stream().filter(AuditRequest::isWrite).count())
                        .put("lists", all.stream().filter(Requests::isList).count())
                        .put("requests", requests.size())
                : figures.cpu(taken)
                        .requests(requests, written)
                        .cpuPer("cpu_ms_per_node", taken.controllers(), written);
    }
}
