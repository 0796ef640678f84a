package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.Pause;
import java.time.Duration;

/** Nothing happens at all. */
final class Idle extends Part {
    private static final Duration TIME = Duration.ofSeconds(15);
    private static final Duration QUICK = Duration.ofSeconds(5);

    Idle(Setup setup) {
        super("idle", setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        CpuTimes before = setup.cpu(running);
        Pause.of(setup.quick() ? QUICK : TIME);
        figures.cpu(setup.cpu(running).since(before));
        figures.put("rss_mib", running.rssMib());
        return 0;
    }
}
