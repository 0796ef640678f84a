package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.Heartbeats;
import io.nodeward.e2e.bench.load.Pause;
import java.time.Duration;

/** Kubelets report that nothing has changed, which is nothing to do: what it costs a controller to see that. */
final class HeartbeatCost extends Part {
    private final Duration warmUp;
    private final Duration time;

    HeartbeatCost(Setup setup) {
        super("heartbeats", setup);
        this.warmUp = Duration.ofSeconds(setup.quick() ? 2 : 10);
        this.time = Duration.ofSeconds(setup.quick() ? 5 : 20);
    }

    @Override
    void prepare() {
        beat(warmUp);
    }

    /** With the CPU it takes when nothing happens, which is next to nothing. */
    @Override
    int measure(Contender contender, Running running, Figures figures) {
        CpuTimes before = setup.cpu(running);
        int beats = beat(time);
        CpuTimes taken = setup.cpu(running).since(before);
        figures.put("heartbeats", beats).cpu(taken).cpuPer("cpu_ms_per_heartbeat", taken.controllers(), beats);
        return 0;
    }

    private int beat(Duration howLong) {
        Heartbeats heartbeats = Heartbeats.start(setup.bed());
        try (heartbeats) {
            Pause.of(howLong);
        }
        return heartbeats.sent();
    }
}
