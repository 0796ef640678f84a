package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.time.Pacer;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Installs the dedicated controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class DedicatedModule extends AbstractModule {
    private static final String NAME = "dedicated";
    private static final String DEVICES = "resource.k8s.io";

    private final DedicatedConfig config;
    private final boolean admitsPods;

    /** @param admitsPods the gate DedicatedPodAdmission: off leaves pods as they are created */
    public DedicatedModule(DedicatedConfig config, boolean admitsPods) {
        this.config = config;
        this.admitsPods = admitsPods;
    }

    @Override
    protected void configure() {
        install(admitsPods ? new PodAdmissionModule(config) : new DedicatedCleanUpModule());
    }

    @Provides
    @Singleton
    DedicatedScope scope(HomeCluster home) {
        return new DedicatedScope(
                home.watch(DedicatedNodes.DEFINITION, DedicatedNodes.PROJECTION),
                home.watch(Resources.NODES, Projection.NODE, DedicatedScope.MANAGED),
                home.watch(Resources.PODS, CandidatePod.PROJECTION, CachedCluster.ON_NODE,
                        CachedCluster.OF_NAMESPACE, CachedCluster.tolerating(config.systemNamespaces())),
                home.watch(Resources.NAMESPACES, Projection.METADATA),
                admitsPods ? claims(home) : CachedClaims.unwatched(),
                config.systemNamespaces(), UnaryOperator.identity());
    }

    /** Without the webhook there is no right to read them. */
    private static CachedClaims claims(HomeCluster home) {
        return new CachedClaims(
                home.watch(Resources.namespaced(DEVICES, "v1", "resourceclaims"), ClaimedClasses.OF_CLAIM),
                home.watch(Resources.namespaced(DEVICES, "v1", "resourceclaimtemplates"), ClaimedClasses.OF_TEMPLATE));
    }

    @Provides
    @Singleton
    DedicatedWatches watches(DedicatedScope scope) {
        return new DedicatedWatches(scope);
    }

    @Provides
    @Singleton
    ConfirmedGroups confirmed() {
        return new ConfirmedGroups();
    }

    @Provides
    @Singleton
    NodeOutcomes outcomes() {
        return new NodeOutcomes();
    }

    @Provides
    @Singleton
    Pacer<ObjectKey> pacer(ControllerContext context) {
        return new Pacer<>(context.timers()::nanoTime);
    }

    @ProvidesIntoSet
    @Singleton
    Controller groups(
            DedicatedScope scope,
            DedicatedWatches watches,
            ConfirmedGroups confirmed,
            NodeOutcomes outcomes,
            Pacer<ObjectKey> pacer,
            ControllerContext context) {
        GroupReconciler reconciler = new GroupReconciler(
                scope, confirmed, outcomes, new PreviewMeters(context.registry(), pacer, scope), admitsPods);
        return ControllerBuilder.of(NAME + "-groups", reconciler,
                context.readyStatus(DedicatedNodes.DEFINITION, NAME, GroupStatus.PARTS), context)
                .logs(group -> group)
                .watches(scope.groups(), MapFunction::declared)
                .watchesTogether(scope.groups(), watches::mapGroupToOthers)
                .watchesTogether(scope.nodes(), watches::mapNode)
                .watchesTogether(scope.pods(), watches::mapPod)
                .watchesTogether(scope.namespaces(), watches::mapNamespace)
                .watchesTogether(scope::whenChangedNode, watches::mapChangedNode)
                .watchesTogether(scope.claims()::whenChanged, claim -> watches.mapClaim())
                .watchesTogether(outcomes::whenOutcomeChanged, watches::mapOutcome)
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller nodes(
            DedicatedScope scope,
            DedicatedWatches watches,
            ConfirmedGroups confirmed,
            NodeOutcomes outcomes,
            Pacer<ObjectKey> pacer,
            ControllerContext context) {
        return ControllerBuilder.of(NAME + "-nodes", new NodeReconciler(
                scope, confirmed, outcomes, pacer, config.noExecuteLimit()), outcomes,
                context, WriteLimits.retrying())
                .lanes(node -> "", config.concurrency)
                .logs(node -> node)
                .watches(scope.groups(), watches::mapGroupToNodes)
                .watches(scope.nodes(), (before, after) -> Set.of(MapFunction.latest(before, after).key()))
                .watches(scope.pods(), watches::mapPodToNode)
                .watches(confirmed::whenConfirmed, watches::mapConfirmed)
                .build();
    }
}
