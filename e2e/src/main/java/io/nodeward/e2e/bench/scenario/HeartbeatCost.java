package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.Heartbeats;
import io.nodeward.e2e.bench.load.LoggedRequest;
import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.Testbed;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Kubelets report that nothing has changed, which is nothing to do: what it costs a controller to see that. */
final class HeartbeatCost extends PairedScenario {
    private final Duration time;

    HeartbeatCost(int size, Setup setup) {
        super("heartbeats", size, setup);
        this.time = Duration.ofSeconds(setup.quick() ? 5 : 20);
    }

    @Override
    List<Turn> turns() {
        return Stream.concat(setup.entrants().nodeward().stream(), setup.entrants().asShipped().stream())
                .map(contender -> Turn.each(
                        contender.name(), (pair, samples) -> heartbeats(contender, pair, samples)))
                .toList();
    }

    private void heartbeats(Contender contender, int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        try (Running running = contender.start(bed)) {
            setup.awaitWorking(running);
            Figures figures = new Figures();
            Taken cold = beat(running);
            long mark = bed.requests().mark();
            Taken warm = beat(running);
            List<LoggedRequest> requests = Requests.ofRunning(bed.requests().since(mark));
            figures.put("cold_cpu_ms_per_heartbeat", cold.perBeat()).put("cpu_ms_per_heartbeat", warm.perBeat());
            figures.put("heartbeats", warm.beats())
                    .put("writes", requests.stream().filter(LoggedRequest::isWrite).count())
                    .put("requests", requests.size())
                    .cpu(warm.cpu());
            samples.accept(figures.sample(name(), contender.name(), pair));
        }
    }

    private record Taken(CpuTimes cpu, int beats) {
        /** With what it takes when nothing happens, which is next to nothing. */
        OptionalDouble perBeat() {
            return cpu.controllers().isPresent() && beats > 0
                    ? OptionalDouble.of(cpu.controllers().getAsDouble() * 1e3 / beats)
                    : OptionalDouble.empty();
        }
    }

    private Taken beat(Running running) {
        CpuTimes before = setup.cpu(running);
        Heartbeats heartbeats = Heartbeats.start(setup.bed().fleet(), size());
        try (heartbeats) {
            Pause.of(time);
        }
        return new Taken(setup.cpu(running).since(before), heartbeats.sent());
    }
}
