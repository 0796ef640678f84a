package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.ListedDevices;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.NamedDevices;
import io.nodeward.core.rules.device.ProjectionLimit;
import io.nodeward.core.rules.device.RuleFaults;
import io.nodeward.core.rules.validation.FieldFault;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** DeviceTaintSlices as they have been settled; they ask no device anything. Not safe for several threads. */
final class TaintSlices {
    /** In the limit that they share with rules; no rule's name has a slash. */
    private static final String PREFIX = DeviceTaintSlice.DEFINITION.kind() + "/";

    private final DeviceCaches caches;
    private final ProjectionLimit limit;
    private final Map<String, Known> known = new HashMap<>();
    private final NamedDevices devices = new NamedDevices();
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();

    private record Known(DeviceTaintSlice declared, Instant created, List<FieldFault> faults) {
        DeviceTaintSlice inEffect() {
            return faults.isEmpty() ? declared : new DeviceTaintSlice(declared.driver(), declared.pool(), List.of());
        }
    }

    TaintSlices(DeviceCaches caches, ProjectionLimit limit) {
        this.caches = caches;
        this.limit = limit;
    }

    /** Told of those for whose status something may have changed. */
    void whenChanged(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /** Those that may have rules of the server; for any thread. */
    Set<String> granted() {
        return names(limit.within());
    }

    /** One that has a fault has no taints. */
    void settle(ObjectKey key) {
        Optional<Known> now = caches.taintSlices().get(key)
                .map(slice -> new Known(slice.spec(), slice.created(), RuleFaults.of(slice.spec())));
        now.ifPresentOrElse(slice -> known.put(key.name(), slice), () -> known.remove(key.name()));
        devices.slice(key.name(), now.map(Known::inEffect));
    }

    void changed(Collection<DeviceName> some) {
        devices.changed(some);
    }

    void allChanged() {
        devices.allChanged();
    }

    /** What those need that have changed. Returns their names. */
    Set<String> need() {
        Set<String> changed = devices.takeChanged();
        changed.forEach(name -> {
            Optional<Known> now = Optional.ofNullable(known.get(name));
            limit.need(PREFIX + name, now.map(Known::created).orElse(Instant.MAX),
                    now.map(Known::inEffect).map(ListedTaints::needed).orElse(0));
        });
        return changed;
    }

    /** Devices that have a taint of this effect when they are published. */
    Set<DeviceName> tainted(String effect) {
        return known.values().stream().map(Known::inEffect).flatMap(slice -> slice.taints().stream()
                .filter(entry -> entry.taint().effect().equals(effect)).map(slice::name)).collect(Collectors.toSet());
    }

    /** @param limited rules and taint slices for which the limit has changed */
    void tell(Set<String> changed, Set<String> limited) {
        Set<String> all = new HashSet<>(changed);
        all.addAll(names(limited));
        if (!all.isEmpty()) {
            listeners.forEach(listener -> listener.accept(all));
        }
    }

    private static Set<String> names(Set<String> needs) {
        return needs.stream().filter(TaintSlices::isTaintSlice).map(name -> name.substring(PREFIX.length()))
                .collect(Collectors.toSet());
    }

    /** Whether one that shares the limit is no rule. */
    static boolean isTaintSlice(String name) {
        return name.startsWith(PREFIX);
    }

    /** What is known of one that declares this; empty if another is known. */
    Optional<TaintSliceMatch> match(String name, DeviceTaintSlice declared, Predicate<DeviceName> published) {
        return Optional.ofNullable(known.get(name)).filter(slice -> slice.declared().equals(declared))
                .map(slice -> new TaintSliceMatch(slice.faults(),
                        ListedDevices.of(declared, published, caches::claims, caches.pods()::get),
                        limit.needed(PREFIX + name), limit.isWithin(PREFIX + name)));
    }
}
