package io.nodeward.controller.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;

/** Looks once after what is left of the steps that gates and mode leave out. */
final class CleanUpRoom implements Room {
    private static final List<Level> SOURCES =
            List.of(Level.CLUSTER, Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL, Level.MACHINE_SET);

    private final ReconcileLoop<Level> loop;
    private final TopologyPolicy policy;

    @Inject
    CleanUpRoom(TopologyPolicy policy, Retraction retraction, Timers timers, MeterRegistry registry) {
        this.policy = policy;
        this.loop = new ReconcileLoop<>("topology-cleanup", level -> "", 1,
                level -> ObjectKey.clusterScoped(level.plural()), retraction::takeBack, timers, registry);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        SOURCES.stream().filter(level -> !policy.reads(level)).forEach(loop.queue()::add);
        loop.start();
    }

    @Override
    public void retire() {
        loop.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        return loop.stop(patience);
    }
}
