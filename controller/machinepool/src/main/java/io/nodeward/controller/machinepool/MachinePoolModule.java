package io.nodeward.controller.machinepool;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.OwnerPolicy;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.time.Timers;
import java.util.Set;

/** Installs the machinepool controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachinePoolModule extends AbstractModule {
    private static final String NAME = "machinepool";

    private final MachinePoolConfig config;
    private final boolean propagatesTaints;
    private final Initialization initialization;
    private final NoExecuteLimit.Settings noExecute;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone
     * @param initialization until when a Node gets taints that are declared for its initialization alone
     * @param noExecute how many Nodes newly get NoExecute
     */
    public MachinePoolModule(
            MachinePoolConfig config,
            boolean propagatesTaints,
            Initialization initialization,
            NoExecuteLimit.Settings noExecute) {
        this.noExecute = noExecute;
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.initialization = initialization;
    }

    @Override
    protected void configure() {
        bind(MachinePools.class).in(Singleton.class);
    }

    private boolean isLimited() {
        return propagatesTaints && !noExecute.equals(NoExecuteLimit.Settings.NONE);
    }

    /** The condition by which pools say that their Nodes wait for a confirmation; without a limit it ends former ones. */
    @ProvidesIntoSet
    @Singleton
    Controller owners(
            PooledNodes nodes,
            MachinePools pools,
            NoExecuteLimit<ObjectKey, PoolNodeKey> limit,
            ControllerContext context) {
        return ControllerBuilder.of(NAME + "-owners",
                limit.owners(nodes::target, (pool, which) -> !isLimited() || nodes.all(pool, which)),
                context.objectStatus(pool -> new ObjectId("MachinePool", pool), NAME + "-owners",
                        NoExecuteLimit.CONDITION),
                context)
                .logs(pool -> pool)
                .reads(pools.cache())
                .watches(limit::whenCounted)
                .recalls(pools.cache(), PooledNodes::reported)
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(
            PoolReconciler reconciler,
            PooledNodes nodes,
            PoolWatches watches,
            MachinePools pools,
            ManagementCluster management,
            NodeListers workloads,
            PoolInfrastructure infrastructure,
            NoExecuteLimit<ObjectKey, PoolNodeKey> limit,
            ControllerContext context) {
        OwnerStatus<PoolNodeKey> status = context.ownerStatus(OwnerPolicy.atOnce(
                NAME, key -> PoolNodeKey.itself(key.pool()), PoolNodeKey::node));
        Reconciler<PoolNodeKey> limited = isLimited() ? new LimitedNodes<>(reconciler, limit, nodes) : reconciler;
        return ControllerBuilder.ofNodes(
                NAME, limited, key -> !key.isItself(), status, context, WriteLimits.DEFAULT)
                .lanes(watches::lane, config.concurrency)
                .logs(PoolNodeKey::pool)
                .watches(pools.cache(), watches::mapPool)
                .watches(management.clusters(), watches::mapCluster)
                .watches(management.machines(), watches::mapMachine)
                .watches(workloads::subscribe, watches::mapNode, watches::mapAvailable)
                .watches(infrastructure::subscribe, watches::mapInfrastructure)
                .watches(limit::whenLet, Set::of)
                .build();
    }

    @Provides
    @Singleton
    InitializingNodes initializing(Timers timers, Leadership leadership) {
        InitializingNodes nodes = new InitializingNodes(timers::nanoTime);
        leadership.beforeLeading(nodes::forgetAll);
        return nodes;
    }

    @Provides
    @Singleton
    NoExecuteLimit<ObjectKey, PoolNodeKey> limit(ControllerContext context, Leadership leadership) {
        return NoExecuteLimit.of(noExecute, NAME, context, leadership);
    }

    @Provides
    @Singleton
    PoolPolicy policy() {
        return new PoolPolicy(NodePolicy.forMachinePools()
                .withTaints(propagatesTaints)
                .withInitialization(initialization)
                .withUninitializedRemoved(config.initialize)
                .withMetadata(config.labels));
    }
}
