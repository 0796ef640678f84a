package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A controller starts on a fleet where all is well but one Node: how long until it is, and whether it leaves the
 * others alone. In pairs with an even number the Node has lost its taint, else its Machine has changed.
 */
final class Restart extends PairedScenario {
    Restart(int size, Setup setup) {
        super(List.of("restart"), size, setup);
    }

    @Override
    List<Turn> turns() {
        return Stream.concat(
                setup.entrants().nodeward().stream().map(c -> Turn.each(c.name(), run(c))),
                setup.entrants().asShipped().stream().map(c -> Turn.once(c.name(), run(c)))).toList();
    }

    private Run run(Contender contender) {
        return (pair, samples) -> restart(contender, pair, samples);
    }

    private void restart(Contender contender, int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        int stale = size() / 2;
        if (pair % 2 == 0) {
            bed.fleet().takeOff(stale);
        } else {
            bed.fleet().declare(stale, bed.nextValue());
        }
        bed.awaitQuiet();
        AuditLog.Mark mark = bed.requests().mark();
        AtomicReference<@Nullable CpuTimes> atRepair = new AtomicReference<>();
        try (Round round = Round.expectOne(bed.nodes(), bed.fleet().declared(stale), stale);
                Running running = contender.start(bed)) {
            round.onComplete(() -> atRepair.set(setup.cpu(running)));
            round.await(Setup.patience(size()), running::check);
            setup.settled(running);
            List<AuditRequest> requests = Requests.ofStarted(bed.requests().since(mark));
            bed.say("  besides: " + Requests.others(requests));
            Figures figures = new Figures()
                    .put("fleet", size())
                    .seconds("first_repair_s", round.last() - running.startedAt())
                    .put("settled_cpu_s", setup.cpu(running).controllers())
                    .put("writes", requests.stream().filter(AuditRequest::isWrite).count() - 1)
                    .put("peak_rss_mib", running.peakRssMib());
            CpuTimes repaired = atRepair.get();
            if (repaired != null) {
                figures.put("cpu_s", repaired.controllers());
            }
            samples.accept(figures.sample(name(), contender.name(), pair));
        }
    }
}
