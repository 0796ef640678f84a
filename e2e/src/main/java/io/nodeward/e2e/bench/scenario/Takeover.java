package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.controlplane.AuditLog;
import java.util.List;

/**
 * The process that leads is killed, and all Machines change. The one that waited has decided what to write by the time it has the
 * Lease. It is as cold as a controller of the drain that has just started: it has written nothing.
 */
final class Takeover extends PairedScenario {
    Takeover(int size, Setup setup) {
        super(List.of("takeover-" + size), size, setup);
    }

    @Override
    List<Turn> turns() {
        return setup.entrants().elected().stream().map(contender -> Turn.each(contender.name(), run(contender)))
                .toList();
    }

    private Run run(Contender contender) {
        return (pair, samples) -> {
            try (Running leader = contender.start(setup.bed())) {
                setup.awaitWorking(leader);
                try (Running standby = contender.start(setup.bed())) {
                    setup.settled(standby);
                    samples.accept(takeOver(leader, standby).sample(name(), contender.name(), pair));
                }
            }
        };
    }

    private Figures takeOver(Running leader, Running standby) {
        Testbed bed = setup.bed();
        int value = bed.nextValue();
        AuditLog.Mark mark = bed.requests().mark();
        CpuTimes before = setup.cpu(standby);
        double waiting = standby.rssMib().orElseThrow();
        try (Round round = Round.expect(bed.nodes(), value, size())) {
            long killed = System.nanoTime();
            leader.kill();
            bed.declare(size(), value, new long[size()]);
            long declared = System.nanoTime();
            round.await(Setup.patience(size()), standby::check);
            CpuTimes taken = setup.settled(standby).cpu().since(before);
            return DrainAndBurst.fromFirstToLast(round, killed)
                    .seconds("triggers_s", declared - killed)
                    .requests(Requests.ofRunning(bed.requests().since(mark)), size())
                    .cpu(taken)
                    .put("standby_rss_mib", waiting)
                    .put("peak_rss_mib", standby.peakRssMib());
        }
    }
}
