package io.nodeward.controller.machine;

import com.google.inject.AbstractModule;
import com.google.inject.Provider;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.ObjectId;
import java.time.InstantSource;
import java.util.Set;

/** Installs the machine controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachineModule extends AbstractModule {
    private static final String NAME = "machine";

    private final MachineConfig config;
    private final boolean propagatesTaints;
    private final Initialization initialization;
    private final NoExecuteLimit.Settings noExecute;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone and syncs the rest
     * @param initialization until when a Node gets taints that are declared for its initialization alone
     * @param noExecute how many Nodes newly get NoExecute
     */
    public MachineModule(
            MachineConfig config,
            boolean propagatesTaints,
            Initialization initialization,
            NoExecuteLimit.Settings noExecute) {
        this.config = config;
        this.noExecute = noExecute;
        this.propagatesTaints = propagatesTaints;
        this.initialization = initialization;
    }

    private boolean isLimited() {
        return propagatesTaints && !noExecute.equals(NoExecuteLimit.Settings.NONE);
    }

    /**
     * The condition by which owners of many Nodes say that these wait for a confirmation. Without a limit the owners' status is
     * there to end what was reported with one.
     */
    @ProvidesIntoSet
    @Singleton
    Controller owners(
            NodeOwners owners,
            NoExecuteLimit<ObjectId, ObjectKey> limit,
            ManagementCluster management,
            ControllerContext context) {
        return ControllerBuilder.of(NAME + "-owners",
                limit.owners(owners::target, (owner, which) -> !isLimited() || owners.all(owner, which)),
                context.objectStatus(owner -> owner, NAME + "-owners", NoExecuteLimit.CONDITION), context)
                .logs(ObjectId::key)
                .reads(management.clusters())
                .reads(owners.deployments())
                .watches(limit::whenCounted)
                .recalls(management.clusters(),
                        found -> NodeOwners.reported(NodeOwners.cluster(found.key()), found.conditions()))
                .recalls(owners.deployments(),
                        found -> NodeOwners.reported(NodeOwners.id(found.key()), found.conditions()))
                .build();
    }

    /** @param owners only if there is a limit: without one nothing waits for MachineDeployments */
    @ProvidesIntoSet
    @Singleton
    Controller controller(
            MachineReconciler reconciler,
            MachineWatches watches,
            Provider<NodeOwners> owners,
            NoExecuteLimit<ObjectId, ObjectKey> limit,
            ManagementCluster management,
            NodeListers workloads,
            ControllerContext context) {
        Reconciler<ObjectKey> limited =
                isLimited() ? new LimitedNodes<>(reconciler, limit, owners.get()) : reconciler;
        ControllerBuilder<ObjectKey> builder = ControllerBuilder
                .ofNodes(NAME, limited, machine -> true, context.objectStatus("Machine", NAME), context,
                        WriteLimits.DEFAULT)
                .lanes(watches::lane, config.concurrency)
                .logs(machine -> machine)
                .watches(management.machines(), watches::mapMachine)
                .watches(management.clusters(), watches::mapCluster)
                .watches(workloads::subscribe, watches::mapNode, watches::mapAvailable);
        if (isLimited()) {
            builder.watches(owners.get().deployments(), watches::mapDeployment).watches(limit::whenLet, Set::of);
        }
        return builder.build();
    }

    @Provides
    @Singleton
    NodeOwners nodeOwners(ManagementCluster management, InstantSource clock) {
        return new NodeOwners(management, clock);
    }

    @Provides
    @Singleton
    NoExecuteLimit<ObjectId, ObjectKey> limit(ControllerContext context, Leadership leadership) {
        return NoExecuteLimit.of(noExecute, NAME, context, leadership);
    }

    @Provides
    @Singleton
    NodePolicy policy() {
        return NodePolicy.forMachines()
                .withTaints(propagatesTaints)
                .withInitialization(initialization)
                .withBookkeeping(config.bookkeeping)
                .withAdditional(config.labels, config.annotations);
    }
}
