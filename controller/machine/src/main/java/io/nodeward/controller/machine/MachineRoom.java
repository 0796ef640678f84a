package io.nodeward.controller.machine;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;

/** The machine controller, from its triggers to its reconciler. */
final class MachineRoom implements Room {
    private final Controller controller;
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
        this.controller =
                new Controller("machine", config.concurrency, reconciler::reconcile, timers, registry);
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
    public boolean stop(Duration patience) throws InterruptedException {
        return controller.stop(patience);
    }
}
