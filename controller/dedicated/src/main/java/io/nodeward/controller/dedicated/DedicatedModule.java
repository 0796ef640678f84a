package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.DedicatedKey;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.webhook.AdmissionProbe;
import java.util.Optional;
import java.util.Set;

/** Installs the dedicated controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class DedicatedModule extends AbstractModule {
    static final String NAME = "dedicated";
    /** The queue of the state, and its one key. */
    private static final String STATE = NAME + "-state";

    private final DedicatedConfig config;
    private final PodFeatures features;

    /** @param features the gates DedicatedPodAdmission, DedicatedPodTolerations and DedicatedEvictions: off leaves pods as they are */
    public DedicatedModule(DedicatedConfig config, PodFeatures features) {
        this.config = config;
        this.features = features;
    }

    @Override
    protected void configure() {
        install(features.admission() ? new PodAdmissionModule(config) : new DedicatedCleanUpModule(config));
        if (features.tolerations()) {
            install(new PodTolerationsModule(config));
        }
        if (features.evictions()) {
            install(new PodEvictionModule(config));
        }
    }

    @Provides
    @Singleton
    DedicatedScope scope(HomeCluster home, ControllerContext context) {
        DedicatedCaches caches = new DedicatedCaches(
                home.watch(DedicatedNodes.DEFINITION, DedicatedNodes.PROJECTION),
                home.watch(Resources.NODES, Projection.NODE, DedicatedCaches.MANAGED),
                home.watch(Resources.PODS, CandidatePod.PROJECTION, DedicatedCaches.ON_NODE,
                        DedicatedCaches.OF_NAMESPACE, DedicatedCaches.OF_CLAIM,
                        DedicatedCaches.tolerating(config.systemNamespaces())),
                home.watch(Resources.NAMESPACES, LabeledNamespace.PROJECTION),
                features.any() ? CachedClaims.watched(home) : CachedClaims.unwatched(), // else there is no right to read them
                home.watch(Resources.namespaced("apps", "v1", "daemonsets"), DaemonTemplate.PROJECTION),
                config.systemNamespaces());
        return new DedicatedScope(caches, caches.view(), features, context.timers()::nanoTime, context.registry());
    }

    @Provides
    @Singleton
    DedicatedWatches watches(DedicatedScope scope) {
        return new DedicatedWatches(scope);
    }

    @Provides
    @Singleton
    Exchange exchange() {
        return new Exchange();
    }

    @Provides
    @Singleton
    Pacer<ObjectKey> pacer(ControllerContext context, Leadership leadership) {
        return restarting(context, leadership);
    }

    @Provides
    @Singleton
    Evictions evictions(ControllerContext context, Leadership leadership) {
        Evictions evictions = new Evictions(features, context.timers()::nanoTime);
        leadership.beforeLeading(evictions::restart);
        return evictions;
    }

    @Provides
    @Singleton
    NodeReleases releases(DedicatedScope scope, ControllerContext context, Leadership leadership) {
        return new NodeReleases(scope, restarting(context, leadership), config.releasesPerMinute(),
                context.registry());
    }

    /** A process that waits for the leadership decides as a leader would, and its turns must not count when it leads. */
    private static Pacer<ObjectKey> restarting(ControllerContext context, Leadership leadership) {
        Pacer<ObjectKey> pacer = new Pacer<>(context.timers()::nanoTime);
        leadership.beforeLeading(pacer::restart);
        return pacer;
    }

    @Provides
    @Singleton
    AdmissionProbe probe(ControllerContext context) {
        return new AdmissionProbe(context.timers()::nanoTime);
    }

    /** Works off what has changed, so that groups hear of it that it concerns. */
    @ProvidesIntoSet
    @Singleton
    Controller work(DedicatedScope scope, ControllerContext context) {
        ControllerBuilder<String> builder = ControllerBuilder.<String>ofFunction(STATE, key -> scope.work(), context)
                .watches(queue -> scope.whenOutdated(() -> queue.add(STATE)));
        scope.caches().needed().forEach(builder::reads);
        return builder.build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller groups(
            DedicatedScope scope,
            DedicatedWatches watches,
            Exchange exchange,
            Pacer<ObjectKey> pacer,
            NodeReleases releases,
            Evictions evictions,
            AdmissionProbe probe,
            ControllerContext context) {
        boolean isProbed = features.admission() && !context.dryRun();
        ObjectStatus<ObjectKey> status = context.readyStatus(DedicatedNodes.DEFINITION, NAME, GroupStatus.PARTS);
        GroupReconciler reconciler = new GroupReconciler(
                scope, exchange, new PreviewMeters(context.registry(), pacer, scope.caches()), pacer, releases,
                evictions, context.events()::warn, features,
                isProbed ? probe::unproved : Optional::empty);
        DedicatedCaches caches = scope.caches();
        return ControllerBuilder.of(NAME + "-groups", reconciler, status, context)
                .logs(group -> group)
                .watches(caches.groups(), MapFunction::declared)
                .watches(caches.groups(), DedicatedWatches::mapShown)
                .watchesAfterASecond(evictions.pending()::whenProgress, DedicatedWatches::keys)
                .watchesAfterASecond(scope.holder()::whenChanged, keys -> DedicatedKey.objects(Kind.GROUP, keys))
                .watchesAfterASecond(caches.groups(), watches::mapGroupToOthers)
                .watchesAfterASecond(caches.pods(), watches::mapPod)
                .reads(caches.nodes()).reads(caches.namespaces()).reads(caches.daemons())
                .watchesAfterASecond(exchange.nodes()::whenOutcomeChanged, watches::mapOutcome)
                .watchesAfterASecond(exchange.pods()::whenOutcomeChanged, watches::mapPodOutcome)
                .watchesAfterASecond(probe::whenChanged, changed -> watches.mapProbe())
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller nodes(
            DedicatedScope scope,
            DedicatedWatches watches,
            Exchange exchange,
            Pacer<ObjectKey> pacer,
            NodeReleases releases,
            ControllerContext context) {
        DedicatedCaches caches = scope.caches();
        return ControllerBuilder.ofNodes(NAME + "-nodes", new NodeReconciler(
                scope, exchange, releases, pacer, config.noExecuteLimit()), node -> true, exchange.nodes(),
                context, WriteLimits.retrying(Backoff.AFTER_REFUSAL))
                .lanes(node -> "", config.concurrency)
                .logs(node -> node)
                .retriesRefused()
                .watches(scope::whenNodesDiffer, watches::mapToNodes) // before it looks at the Nodes that are there
                .watches(exchange.confirmed()::whenMarked, group -> watches.mapToNodes(Set.of(group)))
                .watches(scope.holder()::whenChanged, keys -> DedicatedKey.objects(Kind.NODE, keys))
                .watches(caches.nodes(), (before, after) -> Set.of(MapFunction.latest(before, after).key()))
                .watches(caches.pods(), watches::mapPodToNode)
                .watches(caches.daemons(), watches::mapDaemonToNodes)
                .reads(caches.groups())
                .build();
    }
}
