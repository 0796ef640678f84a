package io.nodeward.controller.devices;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.cel.DeviceExpressions;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.DeviceState;
import io.nodeward.core.rules.device.EvictionCauses;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.StateHolder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The state of devices and their taints, bound to the caches. It answers nothing about a rule before all its devices have been asked. */
final class Devices {
    private final DeviceCaches caches;
    private final DeviceExpressions expressions;
    private final DeviceState state;
    private final StateHolder<DeviceKey> holder;
    /** Slices as they were before a change that is not folded in yet: a device that is gone is as it was last. */
    private final Map<ObjectKey, ResourceSlice> before = new ConcurrentHashMap<>();

    /**
     * Creates a state that hears of the changes of caches.
     *
     * @param serverRules how many rules of the server may stand for rules and DeviceTaintSlices
     * @param ticker nanoseconds since any one moment
     */
    Devices(
            DeviceCaches caches, DeviceExpressions expressions, int serverRules, LongSupplier ticker,
            MeterRegistry registry) {
        this.caches = caches;
        this.expressions = expressions;
        this.state = new DeviceState(
                caches.view(), expressions::compileError, expressions::match, caches.slices()::charge, serverRules);
        this.holder = new StateHolder<>(DevicesModule.NAME, new StateHolder.State<>(this::apply, state::work,
                state::isOpen, DeviceKey::concerns, state::size), () -> caches.unseen().isEmpty(), ticker, registry);
        watches(Kind.RULE, caches.rules(), MapFunction::declared);
        watches(Kind.TAINT_SLICE, caches.taintSlices(), MapFunction::declared);
        watches(Kind.DEVICE_CLASS, caches.classes(), ifDiffers(DeviceClass::expressions));
        watches(Kind.RESOURCE_SLICE, caches.slices(), this::slice);
        watches(Kind.CLAIM, caches.claims(),
                ifDiffers(claim -> List.of(claim.allocated(), claim.reservedFor(), claim.podGroups())));
        watches(Kind.POD, caches.pods(), this::consumers);
    }

    private <T extends KubernetesObject> void watches(Kind kind, ObjectCache<T> cache, MapFunction<T, ObjectKey> map) {
        holder.watches(cache, (was, is) -> map.map(was, is).stream().map(key -> new DeviceKey(kind, key))
                .collect(Collectors.toSet()));
    }

    private static <T extends KubernetesObject> MapFunction<T, ObjectKey> ifDiffers(Function<T, ?> what) {
        return (was, is) -> MapFunction.differs(was, is, what) ? Set.of(MapFunction.latest(was, is).key()) : Set.of();
    }

    private Set<ObjectKey> slice(@Nullable ResourceSlice was, @Nullable ResourceSlice is) {
        if (was != null) {
            before.put(was.key(), was);
        }
        return Set.of(MapFunction.latest(was, is).key());
    }

    /** Returns the keys by which claims name a pod that has changed. A claim that names it later is itself a change. */
    private Set<ObjectKey> consumers(@Nullable Pod was, @Nullable Pod is) {
        return MapFunction.differs(was, is,
                pod -> List.of(pod.metadata().uid(), EvictionCauses.isOnNode(pod), pod.member()))
                        ? MapFunction.both(was, is).flatMap(Pod::consumers).filter(
                                consumer -> caches.claims().has(DeviceCaches.OF_CONSUMER, consumer.toString()))
                                .collect(Collectors.toSet())
                        : Set.of();
    }

    private void apply(DeviceKey key) {
        ResourceSlice last = key.kind() == Kind.RESOURCE_SLICE ? before.get(key.object()) : null;
        if (last != null) {
            state.applyBefore(last);
            before.remove(key.object(), last); // unless there has been another since
        }
        state.apply(key);
    }

    DeviceCaches caches() {
        return caches;
    }

    /** Returns the holder, which tells for which rules and DeviceTaintSlices something may differ. */
    StateHolder<DeviceKey> holder() {
        return holder;
    }

    /** Returns the names of those of a kind that may have rules of the server; for any thread. */
    Set<String> granted(Kind kind) {
        return state.granted(kind);
    }

    long evaluations() {
        return expressions.evaluations();
    }

    /** Returns how many devices have a taint of this effect, as far as that is known. */
    int tainted(String effect) {
        return holder.look(() -> state.tainted(effect));
    }

    /**
     * Returns what is known of a rule or DeviceTaintSlice; if it is empty, the holder tells when that may have changed.
     *
     * @param standing devices for each of which the server has a rule that stands for this one: see {@link DeviceState#source}
     */
    Optional<TaintSource> source(CustomResource<?> object, Set<DeviceName> standing) {
        return ask(object, () -> state.source(object, standing,
                () -> ObservedTaints.of(Trees.read(object.status()).at(ObservedTaints.FIELD))));
    }

    /** Returns those of the devices that have the taints of the object at this moment; none while not all of it is known. */
    Set<DeviceName> selected(CustomResource<?> object, Set<DeviceName> some) {
        return ask(object, () -> Optional.of(state.selected(object, some))).orElse(Set.of());
    }

    private <T> Optional<T> ask(CustomResource<?> object, Supplier<Optional<T>> question) {
        DeviceKey key = DeviceKey.of(object);
        return holder.ask(key, () -> !state.isOpen(key), question);
    }
}
