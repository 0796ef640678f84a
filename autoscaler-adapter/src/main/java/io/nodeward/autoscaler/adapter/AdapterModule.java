package io.nodeward.autoscaler.adapter;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import java.util.List;
import java.util.regex.Pattern;

/** Installs the autoscaler controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class AdapterModule extends AbstractModule {
    private final AdapterConfig config;
    private final boolean propagatesTaints;
    private final boolean poolTaints;
    private final List<Pattern> labels;
    private final boolean poolLabels;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone
     * @param poolTaints whether taints of MachinePools reach their Nodes; of pools with Machines those declared by
     *     annotation do in any case
     * @param labels patterns of labels that reach Nodes besides those of the managed domains
     * @param poolLabels likewise of labels
     */
    public AdapterModule(
            AdapterConfig config,
            boolean propagatesTaints,
            boolean poolTaints,
            List<Pattern> labels,
            boolean poolLabels) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.poolTaints = poolTaints;
        this.labels = List.copyOf(labels);
        this.poolLabels = poolLabels;
    }

    @Override
    protected void configure() {
        bind(AdapterConfig.class).toInstance(config);
        bind(NodeGroupCaches.class).in(Singleton.class);
        bind(RedundantGroups.class).in(Singleton.class);
        bind(NodeGroupMetrics.class).asEagerSingleton();
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(
            AdapterReconciler reconciler,
            NodeGroupWatches watches,
            NodeGroupCaches groups,
            ManagementCluster management,
            PoolInfrastructure infrastructure,
            ControllerContext context) {
        // One lane: all writes go to one server, the management cluster's.
        ControllerBuilder<NodeGroupKey> builder = ControllerBuilder
                .of(AdapterReconciler.NAME, reconciler,
                        context.objectStatus(NodeGroupKey::id, AdapterReconciler.NAME, AdapterReconciler.CONDITION),
                        context, AdapterReconciler.LIMITS)
                .lanes(group -> "", config.concurrency)
                .logs(NodeGroupKey::object);
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            builder.watches(groups.of(kind), (before, after) -> watches.mapGroup(kind, before, after));
        }
        return builder.watches(management.clusters(), watches::mapCluster)
                .watches(management.machines(), watches::mapMachine)
                .watches(infrastructure::subscribe, watches::mapPool)
                .build();
    }

    @Provides
    @Singleton
    CapacityPlanner planner(ManagementCluster management, PoolInfrastructure infrastructure) {
        CapacityPolicy taints = new CapacityPolicy(
                propagatesTaints, config.onInitialization, config.autoscaler, config.ignored(), config.adopts);
        PoolPropagation pools = new PoolPropagation(poolTaints, poolLabels,
                pool -> management.hasMachines(pool.key())
                        ? Makes.MACHINES
                        : infrastructure.makes(pool.key(), pool.infrastructure()));
        return new CapacityPlanner(taints, labels, pools, config);
    }
}
