package io.nodeward.controller.topology;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.core.rules.topology.Concerned;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.status.OwnerPolicy;
import io.nodeward.core.runtime.status.OwnerStatus;
import java.util.List;

/** Installs the controller itself, which {@link TopologyModule} leaves out without its gates. */
final class PropagationModule extends AbstractModule {
    private static final List<TopologyKind> HOLDERS = List.of(
            TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL, TopologyKind.MACHINE_SET, TopologyKind.MACHINE);

    private final TopologyConfig config;

    PropagationModule(TopologyConfig config) {
        this.config = config;
    }

    @Override
    protected void configure() {
        bind(TopologyCaches.class).in(Singleton.class);
        bind(ControlPlanes.class).in(Singleton.class);
    }

    @ProvidesIntoSet
    @Singleton
    Controller controller(
            TopologyReconciler reconciler,
            TopologyScopes scopes,
            TopologyCaches caches,
            TopologyWatches watches,
            ControlPlaneWatch controlPlanes,
            ControllerContext context) {
        OwnerStatus<TopologyTask> status = status(scopes, context);
        ControllerBuilder<TopologyTask> builder = ControllerBuilder
                .of(TopologyReconciler.NAME, reconciler, status, context, WriteLimits.retrying(config.afterRefusal))
                .lanes(task -> "", config.concurrency)
                .logs(TopologyTask::key)
                .watches(caches.clusters(), watches::mapCluster)
                .recalls(caches.clusters(),
                        cluster -> watches.mapReported(TopologyKind.CLUSTER, cluster, cluster.conditions()))
                .watches(caches.topologies(), watches::mapTopology)
                .watches(caches.classes(), watches::mapClass);
        for (TopologyKind kind : HOLDERS) {
            ObjectCache<TaintHolder> holders = caches.holders(kind);
            builder.watches(holders, (before, after) -> watches.mapHolder(kind, before, after))
                    .recalls(holders, holder -> watches.mapReported(kind, holder, holder.conditions()));
        }
        return builder.watches(controlPlanes).build();
    }

    /** On the object that declares, however many are below it. */
    private static OwnerStatus<TopologyTask> status(TopologyScopes scopes, ControllerContext context) {
        return context.ownerStatus(
                OwnerPolicy.lasting(TopologyReconciler.NAME, TopologyTask::report, scopes::name,
                        (names, others, first) -> new Concerned(names, others).message(first)),
                TopologyReconciler.CONDITION);
    }
}
