package io.nodeward.controller.machine;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.controller.DecisionExecutor;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Function;

/** The machine controller, from its triggers to its reconciler. */
final class MachineRoom implements Controller {
    private static final String FIELD_MANAGER = "nodeward-machine";

    private final ReconcileLoop<ObjectKey> loop;
    private final MachineTriggers triggers;
    private final WorkloadClusters workloads;

    @Inject
    MachineRoom(
            MachineConfig config,
            MachineReconciler reconciler,
            ManagementCluster management,
            WorkloadClusters workloads,
            Conditions conditions,
            EventRecorder events,
            Timers timers,
            MeterRegistry registry) {
        // A cluster that does not answer holds up its own Machines and no others.
        Function<ObjectKey, String> cluster =
                key -> management.machines().get(key).map(m -> m.cluster().toString()).orElse("");
        ObjectStatus status = new ObjectStatus("Machine", "machine", FIELD_MANAGER, conditions, events);
        this.loop = new ReconcileLoop<>("machine", cluster, config.concurrency, key -> key,
                new DecisionExecutor<>(reconciler, workloads, status, FIELD_MANAGER, timers::nanoTime), timers,
                registry);
        this.triggers = new MachineTriggers(management, loop.queue());
        this.workloads = workloads;
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        triggers.subscribe(workloads);
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
