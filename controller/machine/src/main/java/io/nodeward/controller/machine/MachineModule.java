package io.nodeward.controller.machine;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;

/** Installs the machine controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachineModule extends AbstractModule {
    private static final String NAME = "machine";

    private final MachineConfig config;
    private final boolean propagatesTaints;
    private final Initialization initialization;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone and syncs the rest
     * @param initialization until when a Node gets taints that are declared for its initialization alone
     */
    public MachineModule(MachineConfig config, boolean propagatesTaints, Initialization initialization) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.initialization = initialization;
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(
            MachineReconciler reconciler,
            MachineWatches watches,
            ManagementCluster management,
            NodeListers workloads,
            ControllerContext context) {
        return ControllerBuilder.of(NAME, reconciler, context.objectStatus("Machine", NAME), context)
                .lanes(watches::lane, config.concurrency)
                .logs(machine -> machine)
                .watches(management.machines(), watches::mapMachine)
                .watches(management.clusters(), watches::mapCluster)
                .watches(workloads, watches::mapNode, watches::mapAvailable)
                .build();
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
