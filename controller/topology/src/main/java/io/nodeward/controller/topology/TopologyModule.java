package io.nodeward.controller.topology;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.status.Conditions;
import java.util.List;

/**
 * Installs the topology controller, and what removes its conditions from objects that gates or mode leave out now: nothing
 * else is done without either gate. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class TopologyModule extends AbstractModule {
    private static final List<TopologyKind> SOURCES = List.of(
            TopologyKind.CLUSTER, TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL, TopologyKind.MACHINE_SET);

    private final TopologyConfig config;
    private final boolean topologies;
    private final boolean pools;
    private final String watchFilter;
    private final NoExecuteLimit.Settings noExecute;

    /**
     * Needs nothing but what is given.
     *
     * @param topologies the gates TopologyTaintPropagation and MachineTaintPropagation
     * @param pools the gates MachinePoolTaintPropagation and MachineTaintPropagation: off, no taint reaches a
     *     MachinePool or leaves one
     * @param watchFilter of Clusters and what is theirs; empty for all
     * @param noExecute how many Nodes may newly get {@code NoExecute} without a confirmation
     */
    public TopologyModule(TopologyConfig config, boolean topologies, boolean pools, String watchFilter,
            NoExecuteLimit.Settings noExecute) {
        this.config = config;
        this.topologies = topologies;
        this.pools = pools;
        this.watchFilter = watchFilter;
        this.noExecute = noExecute;
    }

    @Override
    protected void configure() {
        if (topologies || pools) {
            install(new PropagationModule(config));
        }
    }

    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(
            TopologyPolicy policy, TopologyCleanUp cleanUp, ManagementCluster management, ControllerContext context) {
        return ControllerBuilder.ofFunction(TopologyReconciler.NAME + "-cleanup", cleanUp::removeConditions, context)
                .logs(kind -> ObjectKey.clusterScoped(kind.plural()))
                .reads(management.clusters())
                .watches(queue -> SOURCES.stream().filter(kind -> !policy.reads(kind)).forEach(queue::add))
                .build();
    }

    @Provides
    @Singleton
    TopologyPolicy policy() {
        return new TopologyPolicy(topologies, pools, config.mode.rule, noExecute);
    }

    @Provides
    @Singleton
    TopologyCleanUp topologyCleanUp(ManagementCluster management, Conditions conditions) {
        return new TopologyCleanUp(management, conditions, watchFilter);
    }
}
