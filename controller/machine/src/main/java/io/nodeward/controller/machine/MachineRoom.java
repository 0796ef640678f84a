package io.nodeward.controller.machine;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Function;

/** The machine controller, from its triggers to its reconciler. */
final class MachineRoom implements Room {
    private final Controller<ObjectKey> controller;
    private final MachineTriggers triggers;
    private final WorkloadClusters workloads;

    @Inject
    MachineRoom(
            MachineConfig config,
            MachineReconciler reconciler,
            ManagementCluster management,
            WorkloadClusters workloads,
            Timers timers,
            MeterRegistry registry) {
        // A cluster that does not answer holds up its own Machines and no others.
        Function<ObjectKey, String> cluster =
                key -> management.machines().get(key).map(m -> m.cluster().toString()).orElse("");
        this.controller =
                new Controller<>("machine", cluster, config.concurrency, key -> key, reconciler::reconcile, timers,
                        registry);
        this.triggers = new MachineTriggers(management, controller.queue());
        this.workloads = workloads;
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public void start() {
        triggers.subscribe(workloads);
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
