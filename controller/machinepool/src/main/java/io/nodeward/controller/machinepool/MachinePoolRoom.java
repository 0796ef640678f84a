package io.nodeward.controller.machinepool;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.function.Function;

/** The controller of MachinePools, from its triggers to its reconciler. */
final class MachinePoolRoom implements Room {
    /** What is to be said of a pool is said once for all its Nodes that change together. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final Controller<PoolNode> controller;
    private final PoolTriggers triggers;

    @Inject
    MachinePoolRoom(
            MachinePoolConfig config,
            PoolReconciler reconciler,
            PoolJournal journal,
            MachinePools pools,
            ManagementCluster management,
            WorkloadClusters workloads,
            PoolInfrastructure infrastructure,
            Timers timers,
            MeterRegistry registry) {
        // A cluster that does not answer holds up its own pools and no others.
        Function<PoolNode, String> cluster =
                key -> pools.get(key.pool()).map(MachinePool::cluster).map(Object::toString).orElse("");
        this.controller = new Controller<>("machinepool", cluster, config.concurrency, PoolNode::pool,
                reconciler::reconcile, timers, registry);
        this.triggers = new PoolTriggers(management, pools, workloads, infrastructure, controller.queue());
        journal.whenChanged(pool -> controller.queue().addAfter(PoolNode.itself(pool), TOGETHER));
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public void start() {
        triggers.subscribe();
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
