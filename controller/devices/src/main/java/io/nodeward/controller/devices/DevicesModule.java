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
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
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
    Devices devices(HomeCluster home, ControllerContext context) {
        DeviceCaches caches = new DeviceCaches(
                home.watch(DeviceTaintRule.DEFINITION, DeviceTaintRule.PROJECTION),
                home.watch(DeviceTaintSlice.DEFINITION, DeviceTaintSlice.PROJECTION),
                home.watch(Resources.clusterScoped(GROUP, VERSION, "deviceclasses"), DeviceClass.PROJECTION),
                home.watch(Resources.clusterScoped(GROUP, VERSION, "resourceslices"), ResourceSlice.PROJECTION,
                        DeviceCaches.UNKNOWN),
                home.watch(Resources.namespaced(GROUP, VERSION, "resourceclaims"), ResourceClaim.PROJECTION,
                        DeviceCaches.OF_DEVICE, DeviceCaches.OF_POD),
                home.watch(Resources.PODS, Projection.PLACED_POD));
        return new Devices(caches, DeviceExpressions.of(config.features()), config.serverRules(),
                context.timers()::nanoTime, context.registry());
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
    EvictingRules evicting(Devices devices, ServerRules serverRules, ControllerContext context) {
        return new EvictingRules(devices, serverRules, new Pacer<>(context.timers()::nanoTime, config.overallLimit()),
                context.clock(),
                config.evictUnenforced);
    }

    @Provides
    @Singleton
    ClaimBackoff backoff(Devices devices, Timers timers) {
        return new ClaimBackoff(devices.caches(), timers::nanoTime);
    }

    /** Deletes pods for rules that evict. */
    @ProvidesIntoSet
    @Singleton
    Controller eviction(
            Devices devices, EvictingRules evicting, ClaimBackoff backoff, ControllerContext context) {
        PodEviction eviction = new PodEviction(devices.caches(), evicting, backoff, context);
        return ControllerBuilder.ofFunction(PodEviction.NAME, eviction, context).lanes(pod -> "", CONCURRENCY)
                .logs(pod -> pod).watches(evicting::whenActing, pods -> pods).retriesRefused(eviction::refused).build();
    }

    /** Works off what has changed, so that rules and taint slices hear of it that it concerns. */
    @ProvidesIntoSet
    @Singleton
    Controller work(Devices devices, ControllerContext context) {
        ControllerBuilder<String> builder = ControllerBuilder.<String>ofFunction(NAME, key -> devices.holder().work()
                ? Result.requeueAfter(Duration.ZERO, "devices that have not been asked")
                : Result.done(), context).watches(queue -> devices.holder().whenMail(() -> queue.add(DEVICES)));
        devices.caches().all().values().forEach(builder::reads);
        return builder.build();
    }

    /** Starts when rules have been seen: what is missing beside them is shown in their status. */
    @ProvidesIntoSet
    @Singleton
    Controller rules(
            Devices devices, ServerRules serverRules, EvictingRules evicting, ClaimBackoff backoff,
            ControllerContext context) {
        RuleReconciler reconciler = new RuleReconciler(devices, serverRules, evicting, backoff,
                new RuleMeters(context.registry(), devices), context.clock());
        return ControllerBuilder.of(NAME + "-rules", reconciler,
                context.readyStatus(DeviceTaintRule.DEFINITION, NAME, RuleStatus.PARTS), context)
                .logs(rule -> rule)
                .watches(devices.caches().rules(), MapFunction::declared)
                .watches(devices.caches().rules(), EvictionProgress::mapReported)
                .watchesTogether(devices.holder()::whenChanged, keys -> DeviceKey.objects(Kind.RULE, keys))
                .watchesTogether(devices.caches().slices(), devices.caches()::mapUnknown)
                .watchesTogether(evicting::whenHeldUp, EvictingTaintSlices::rules)
                .watches(queue -> serverRules.whenChanged(DeviceTaintRule.DEFINITION, () -> devices.granted(Kind.RULE),
                        devices.caches().rules(), queue::add))
                .build();
    }

    /** Starts when taint slices have been seen: a cluster that lacks the kind has none. */
    @ProvidesIntoSet
    @Singleton
    Controller taintSlices(
            Devices devices, ServerRules serverRules, EvictingRules evicting, ClaimBackoff backoff,
            ControllerContext context) {
        return ControllerBuilder.of(NAME + "-taint-slices",
                new TaintSliceReconciler(devices, serverRules, new EvictingTaintSlices(devices, evicting), backoff,
                        context.clock()),
                context.readyStatus(DeviceTaintSlice.DEFINITION, NAME, TaintSliceStatus.PARTS), context)
                .logs(slice -> slice)
                .watches(devices.caches().taintSlices(), MapFunction::declared)
                .watches(devices.caches().taintSlices(), EvictionProgress::mapReported)
                .watchesTogether(devices.holder()::whenChanged, keys -> DeviceKey.objects(Kind.TAINT_SLICE, keys))
                .watchesTogether(evicting::whenHeldUp, EvictingTaintSlices::slices)
                .watches(queue -> serverRules.whenChanged(DeviceTaintSlice.DEFINITION,
                        () -> devices.granted(Kind.TAINT_SLICE),
                        devices.caches().taintSlices(), queue::add))
                .build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller expiry(Devices devices, ControllerContext context) {
        return ControllerBuilder.ofFunction(Expiry.NAME, new Expiry(devices.caches().rules(), context), context)
                .logs(rule -> rule).watches(devices.caches().rules(), MapFunction::declared)
                .retriesRefused().build();
    }

    @ProvidesIntoSet
    @Singleton
    Controller orphans(Devices devices, ServerRules serverRules, ControllerContext context) {
        String name = NAME + "-orphans";
        Orphans orphans = new Orphans(
                devices.caches(), serverRules, context.writer(), ControllerContext.fieldManager(name));
        return ControllerBuilder.ofFunction(name, orphans, context).logs(rule -> rule)
                .watches(devices.caches().rules(), orphans::left)
                .watches(queue -> orphans.ofTaintSlices(queue::add))
                .watches(queue -> serverRules.versions().all().forEach(version -> version.cache()
                        .subscribe((before, after) -> queue.add(MapFunction.latest(before, after).key()))))
                .retriesRefused().build();
    }
}
