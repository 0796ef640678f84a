package io.nodeward.controller.machinepool;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.controller.DecisionExecutor;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The controller of MachinePools, from its triggers to its reconciler. */
final class MachinePoolRoom implements Controller {
    private static final String FIELD_MANAGER = "nodeward-machinepool";
    /** Gravest first. */
    static final List<String> REASONS = Stream.concat(
            Stream.of("ProviderIDNotUnique", "NodeClaimedTwice", "NodeRejected", "RepairsUndone"),
            Stream.of(Warning.Reason.values()).map(Warning.Reason::text)).toList();
    /** What is to be said of a pool is said once for all its Nodes that change together. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final ReconcileLoop<PoolNode> loop;
    private final PoolTriggers triggers;

    @Inject
    MachinePoolRoom(
            MachinePoolConfig config,
            PoolReconciler reconciler,
            MachinePools pools,
            ManagementCluster management,
            WorkloadClusters workloads,
            PoolInfrastructure infrastructure,
            Conditions conditions,
            EventRecorder events,
            InstantSource clock,
            Timers timers,
            MeterRegistry registry) {
        // A cluster that does not answer holds up its own pools and no others.
        Function<PoolNode, String> cluster =
                key -> pools.get(key.pool()).map(MachinePool::cluster).map(Object::toString).orElse("");
        OwnerStatus<PoolNode> status = new OwnerStatus<>(
                new OwnerStatus.Naming<>("MachinePool", "machinepool", PoolNode::pool, PoolNode::node),
                FIELD_MANAGER, REASONS, conditions, events, clock);
        this.loop = new ReconcileLoop<>("machinepool", cluster, config.concurrency, PoolNode::pool,
                new DecisionExecutor<>(reconciler, workloads, status, FIELD_MANAGER, timers::nanoTime), timers,
                registry);
        this.triggers = new PoolTriggers(management, pools, workloads, infrastructure, loop.queue());
        status.whenChanged(pool -> loop.queue().addAfter(PoolNode.itself(pool), TOGETHER));
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        triggers.subscribe();
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
