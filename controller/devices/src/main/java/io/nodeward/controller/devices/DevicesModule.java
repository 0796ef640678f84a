package io.nodeward.controller.devices;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.ProjectionLimit;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** Installs the devices controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class DevicesModule extends AbstractModule {
    static final String NAME = "devices";
    private static final String GROUP = ServerRules.GROUP;
    private static final String VERSION = "v1";
    /** The one key of what is settled together. */
    private static final String DEVICES = "devices";
    /** Pods that are deleted at the same time. */
    private static final int CONCURRENCY = 8;

    private final DevicesConfig config;

    public DevicesModule(DevicesConfig config) {
        this.config = config;
    }

    @Provides
    @Singleton
    DeviceScope scope(HomeCluster home, Timers timers) {
        DeviceCaches caches = new DeviceCaches(
                home.watch(DeviceTaintRule.DEFINITION, DeviceTaintRule.PROJECTION),
                home.watch(DeviceTaintSlice.DEFINITION, DeviceTaintSlice.PROJECTION),
                home.watch(Resources.clusterScoped(GROUP, VERSION, "deviceclasses"), DeviceClass.PROJECTION),
                home.watch(Resources.clusterScoped(GROUP, VERSION, "resourceslices"), ResourceSlice.PROJECTION,
                        DeviceCaches.UNKNOWN),
                home.watch(Resources.namespaced(GROUP, VERSION, "resourceclaims"), ResourceClaim.PROJECTION,
                        DeviceCaches.OF_DEVICE, DeviceCaches.OF_POD),
                home.watch(Resources.PODS, Projection.PLACED_POD));
        return new DeviceScope(caches, DeviceExpressions.of(config.features()),
                new ProjectionLimit(config.serverRules()), timers::nanoTime);
    }

    /** A server that has none of them, or not yet, keeps nobody from starting. */
    @Provides
    @Singleton
    ServerRules serverRules(HomeCluster home) {
        return new ServerRules(
                home.watch(ServerRules.VERSIONS.stream().map(version -> ServerRules.kind(version).resource()).toList(),
                        DeviceTaintRule.PROJECTION, ServerRules.OF_OWNER,
                        ServerRules.OWNED),
                config.serverRules());
    }

    @Provides
    @Singleton
    EvictingRules evicting(DeviceScope scope, ServerRules serverRules, ControllerContext context) {
        return new EvictingRules(scope, serverRules, new Pacer<>(context.timers()::nanoTime, config.overallLimit()),
                context.clock(),
                config.evictUnenforced);
    }

    @Provides
    @Singleton
    ClaimBackoff backoff(DeviceScope scope, Timers timers) {
        return new ClaimBackoff(scope.caches(), timers::nanoTime);
    }

    /** Deletes pods for rules that evict. */
    @ProvidesIntoSet
    @Singleton
    Controller eviction(
            DeviceScope scope, EvictingRules evicting, ClaimBackoff backoff, ControllerContext context) {
        PodEviction eviction = new PodEviction(scope.caches(), evicting, backoff, context);
        return ControllerBuilder.ofFunction(PodEviction.NAME, eviction, context).lanes(pod -> "", CONCURRENCY)
                .logs(pod -> pod).watches(evicting::whenActing, pods -> pods).retriesRefused(eviction::refused).build();
    }

    /** Works off what has changed, so that the rules hear of it that it concerns. */
    @ProvidesIntoSet
    @Singleton
    Controller devices(DeviceScope scope, ControllerContext context) {
        ControllerBuilder<String> builder = ControllerBuilder.<String>ofFunction(NAME, key -> scope.settle()
                ? Result.requeueAfter(Duration.ZERO, "devices that have not been asked")
                : Result.done(), context).watches(scope::whenUnsettled, any -> Set.of(DEVICES));
        scope.caches().all().values().forEach(builder::reads);
        return builder.build();
    }

    /** Starts when rules have been seen: what is missing beside them is shown in their status. */
    @ProvidesIntoSet
    @Singleton
    Controller rules(
            DeviceScope scope, ServerRules serverRules, EvictingRules evicting, ClaimBackoff backoff,
            ControllerContext context) {
        RuleReconciler reconciler = new RuleReconciler(scope, serverRules, evicting, backoff,
                new RuleMeters(context.registry(), scope), context.clock());
        return ControllerBuilder.of(NAME + "-rules", reconciler,
                context.readyStatus(DeviceTaintRule.DEFINITION, NAME, RuleStatus.PARTS), context)
                .logs(rule -> rule)
                .watches(scope.caches().rules(), MapFunction::declared)
                .watches(scope.caches().rules(), EvictionProgress::mapReported)
                .watchesTogether(scope::whenChanged,
                        rules -> rules.stream().map(ObjectKey::clusterScoped).collect(Collectors.toSet()))
                .watchesTogether(scope.caches().slices(), scope.caches()::mapUnknown)
                .watchesTogether(evicting::whenHeldUp, EvictingTaintSlices::rules)
                .watches(queue -> serverRules.whenChanged(DeviceTaintRule.DEFINITION, scope::granted,
                        scope.caches().rules(), queue::add))
                .build();
    }

    /** Starts when taint slices have been seen: a cluster that lacks the kind has none. */
    @ProvidesIntoSet
    @Singleton
    Controller taintSlices(
            DeviceScope scope, ServerRules serverRules, EvictingRules evicting, ClaimBackoff backoff,
            ControllerContext context) {
        return ControllerBuilder.of(NAME + "-taint-slices",
                new TaintSliceReconciler(scope, serverRules, new EvictingTaintSlices(scope, evicting), backoff,
                        context.clock()),
                context.readyStatus(DeviceTaintSlice.DEFINITION, NAME, TaintSliceStatus.PARTS), context)
                .logs(slice -> slice)
                .watches(scope.caches().taintSlices(), MapFunction::declared)
                .watches(scope.caches().taintSlices(), EvictionProgress::mapReported)
                .watchesTogether(scope.taintSlices()::whenChanged,
                        slices -> slices.stream().map(ObjectKey::clusterScoped).collect(Collectors.toSet()))
                .watchesTogether(evicting::whenHeldUp, EvictingTaintSlices::slices)
                .watches(queue -> serverRules.whenChanged(DeviceTaintSlice.DEFINITION, scope.taintSlices()::granted,
                        scope.caches().taintSlices(), queue::add))
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller expiry(DeviceScope scope, ControllerContext context) {
        return ControllerBuilder.ofFunction(Expiry.NAME, new Expiry(scope.caches().rules(), context), context)
                .logs(rule -> rule).watches(scope.caches().rules(), MapFunction::declared)
                .retriesRefused().build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller orphans(DeviceScope scope, ServerRules serverRules, ControllerContext context) {
        String name = NAME + "-orphans";
        Orphans orphans = new Orphans(
                scope.caches(), serverRules, context.writer(), ControllerContext.fieldManager(name));
        return ControllerBuilder.ofFunction(name, orphans, context).logs(rule -> rule)
                .watches(scope.caches().rules(), orphans::left)
                .watches(queue -> orphans.ofTaintSlices(queue::add))
                .watches(queue -> serverRules.versions().all().forEach(version -> version.cache()
                        .subscribe((before, after) -> queue.add(MapFunction.latest(before, after).key()))))
                .retriesRefused().build();
    }
}
