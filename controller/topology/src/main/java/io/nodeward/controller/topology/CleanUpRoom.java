package io.nodeward.controller.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;

/** Looks once after what is left of the steps that gates and mode leave out. */
final class CleanUpRoom implements Room {
    private static final List<Level> DECLARERS =
            List.of(Level.CLUSTER, Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL, Level.MACHINE_SET);

    private final Controller<Level> controller;
    private final TopologyPolicy policy;

    @Inject
    CleanUpRoom(TopologyPolicy policy, Retraction retraction, Timers timers, MeterRegistry registry) {
        this.policy = policy;
        this.controller = new Controller<>("topology-cleanup", level -> "", 1,
                level -> ObjectKey.clusterScoped(level.plural()), retraction::takeBack, timers, registry);
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public void start() {
        DECLARERS.stream().filter(level -> !policy.reads(level)).forEach(controller.queue()::add);
        controller.start();
    }

    @Override
    public void retire() {
        controller.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        return controller.stop(patience);
    }
}
