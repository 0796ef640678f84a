package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.LoggedRequest;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Nothing happens at all. */
final class Idle extends PairedScenario {
    private static final Duration TIME = Duration.ofSeconds(15);
    private static final Duration QUICK = Duration.ofSeconds(5);

    Idle(int size, Setup setup) {
        super("idle", size, setup);
    }

    @Override
    List<Turn> turns() {
        return oneByOne(contender -> (pair, samples) -> idle(contender, pair, samples));
    }

    private void idle(Contender contender, int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        try (Running running = contender.start(bed)) {
            setup.awaitWorking(running);
            bed.awaitQuiet();
            long mark = bed.requests().mark();
            CpuTimes before = setup.cpu(running);
            Pause.of(setup.quick() ? QUICK : TIME);
            CpuTimes taken = setup.cpu(running).since(before);
            List<LoggedRequest> all = bed.requests().since(mark);
            List<LoggedRequest> requests = Requests.ofRunning(all);
            bed.say("  besides: " + Requests.others(all));
            samples.accept(new Figures()
                    .put("writes", requests.stream().filter(LoggedRequest::isWrite).count())
                    .put("lists", requests.stream().filter(r -> r.verb().equals("list")).count())
                    .put("requests", requests.size())
                    .put("rss_mib", running.rssMib())
                    .cpu(taken)
                    .sample(name(), contender.name(), pair));
        }
    }
}
