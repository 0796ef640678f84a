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
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.ServerClock;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Pacer;
import io.nodeward.core.runtime.time.Timers;
import java.time.InstantSource;

/** Installs the devices controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class DevicesModule extends AbstractModule {
    static final String NAME = "devices";
    private static final String GROUP = ServerRules.GROUP;
    private static final String VERSION = "v1";
    /** The key of the queue that folds in what has changed. */
    private static final String DEVICES = "devices";
    /** How many pods are deleted at the same time. */
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
                        DeviceCaches.OF_DEVICE, DeviceCaches.OF_CONSUMER),
                home.watch(Resources.PODS, Projection.PLACED_POD, DeviceCaches.OF_GROUP));
        return new Devices(caches, DeviceExpressions.of(config.features()), config.serverRules(),
                context.timers()::nanoTime, context.registry());
    }

    /** Starts also without a server that has rules of its own. */
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
    Evictions evictions(
            Devices devices, ServerRules serverRules, ControllerContext context, Leadership leadership) {
        Timers timers = context.timers();
        Evictions evictions = new Evictions(devices, serverRules, new Pacer<>(timers::nanoTime, config.overallLimit()),
                new ClaimBackoff(devices.caches(), timers::nanoTime), context.clock(), config.evictUnenforced);
        leadership.beforeLeading(evictions::restart);
        return evictions;
    }

    /** Deletes pods for the taints that evict. */
    @ProvidesIntoSet
    @Singleton
    Controller eviction(Devices devices, Evictions evictions, ControllerContext context) {
        PodEviction eviction = new PodEviction(devices.caches(), evictions, context);
        return ControllerBuilder.ofFunction(PodEviction.NAME, eviction, context).lanes(pod -> "", CONCURRENCY)
                .logs(pod -> pod).watches(evictions.pending()::whenDue, pods -> pods).retriesRefused(eviction::refused)
                .build();
    }

    /** Folds in what has changed, so that the rules and taint slices are decided on that this concerns. */
    @ProvidesIntoSet
    @Singleton
    Controller work(Devices devices, ControllerContext context) {
        ControllerBuilder<String> builder = ControllerBuilder
                .<String>ofFunction(NAME, key -> devices.holder().work(), context)
                .watches(queue -> devices.holder().whenMail(() -> queue.add(DEVICES)));
        devices.caches().all().values().forEach(builder::reads);
        return builder.build();
    }

    @Provides
    @Singleton
    TaintMeters meters(Devices devices, ControllerContext context) {
        return new TaintMeters(context.registry(), devices);
    }

    /** Starts when rules have been seen: what is missing beside them is shown in their status. */
    @ProvidesIntoSet
    @Singleton
    Controller rules(
            Devices devices, ServerRules serverRules, Evictions evictions, TaintMeters meters,
            ControllerContext context) {
        return taints("-rules", Kind.RULE, devices.caches().rules(), devices, serverRules, evictions, meters, context)
                .watchesAfterASecond(devices.caches().slices(), devices.caches()::mapUnknown).build();
    }

    /** Starts when taint slices have been seen: a cluster that lacks the kind has none. */
    @ProvidesIntoSet
    @Singleton
    Controller taintSlices(
            Devices devices, ServerRules serverRules, Evictions evictions, TaintMeters meters,
            ControllerContext context) {
        return taints("-taint-slices", Kind.TAINT_SLICE, devices.caches().taintSlices(), devices, serverRules,
                evictions,
                meters, context).build();
    }

    private static <S> ControllerBuilder<ObjectKey> taints(
            String name, Kind kind, ObjectCache<CustomResource<S>> all, Devices devices, ServerRules serverRules,
            Evictions evictions, TaintMeters meters, ControllerContext context) {
        CustomResourceDefinition definition = DeviceKey.definition(kind);
        return ControllerBuilder.of(NAME + name,
                new TaintReconciler(kind, devices, serverRules, evictions, new Recoveries(context.timers()::nanoTime),
                        meters,
                        context.clock()),
                context.readyStatus(definition, NAME, TaintStatus.PARTS), context)
                .logs(key -> key)
                .watches(all, MapFunction::declared)
                .watches(all, TaintStatus::mapShown)
                .watchesAfterASecond(devices.holder()::whenChanged, keys -> DeviceKey.objects(kind, keys))
                .watchesAfterASecond(evictions::whenHeldUp, keys -> DeviceKey.objects(kind, keys))
                .watches(queue -> serverRules.whenChanged(definition, () -> devices.granted(kind), all, queue::add));
    }

    @ProvidesIntoSet
    @Singleton
    Controller expiry(Devices devices, HomeCluster home, ControllerContext context) {
        return expiry(devices, new ServerClock(home), context);
    }

    static Controller expiry(Devices devices, InstantSource server, ControllerContext context) {
        return ControllerBuilder
                .ofFunction(Expiry.NAME, new Expiry(devices.caches().rules(), server, context), context)
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
