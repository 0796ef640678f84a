package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which rules may select a device, and the other way round: a rule is found by the most specific name that it sets (device
 * of a pool, device, pool, driver, none), a device by each of these, in the order in which they have changed. Not safe for
 * several threads.
 */
final class NameIndex<R, D> {
    private final Map<Key, Set<R>> rules = new HashMap<>();
    private final Map<Key, NavigableMap<Long, D>> devices = new HashMap<>();

    private enum Part {
        DEVICE_OF_POOL,
        DEVICE,
        POOL,
        DRIVER,
        ANY,
    }

    private record Key(Part part, String name, String pool) {
        Key(Part part, String name) {
            this(part, name, "");
        }
    }

    void add(R rule, DeviceTaintSelector selector) {
        rules.computeIfAbsent(key(selector), any -> new HashSet<>()).add(rule);
    }

    void remove(R rule, DeviceTaintSelector selector) {
        rules.computeIfPresent(key(selector), (any, all) -> all.remove(rule) && all.isEmpty() ? null : all);
    }

    /** @param changed when it has changed, which no other device has */
    void put(DeviceName name, long changed, D device) {
        keys(name).forEach(key -> devices.computeIfAbsent(key, any -> new TreeMap<>()).put(changed, device));
    }

    void remove(DeviceName name, long changed) {
        keys(name).forEach(key -> devices.computeIfPresent(key, (any, all) -> {
            all.remove(changed);
            return all.isEmpty() ? null : all;
        }));
    }

    /** Returns all rules that select one of the devices, and some more; each of them once. */
    Stream<R> rules(Collection<DeviceName> some) {
        return some.stream().flatMap(name -> keys(name).stream()).distinct()
                .flatMap(key -> rules.getOrDefault(key, Set.of()).stream());
    }

    /** Returns all devices that the selector selects, and some more, which have changed after this. */
    Collection<D> devices(DeviceTaintSelector selector, long after) {
        return devices.getOrDefault(key(selector), Collections.emptyNavigableMap()).tailMap(after, false).values();
    }

    private static Key key(DeviceTaintSelector selector) {
        return selector.device().map(name -> selector.pool().map(pool -> new Key(Part.DEVICE_OF_POOL, name, pool))
                .orElseGet(() -> new Key(Part.DEVICE, name)))
                .or(() -> selector.pool().map(name -> new Key(Part.POOL, name)))
                .or(() -> selector.driver().map(name -> new Key(Part.DRIVER, name)))
                .orElseGet(() -> new Key(Part.ANY, ""));
    }

    private static List<Key> keys(DeviceName name) {
        return List.of(new Key(Part.DEVICE_OF_POOL, name.device(), name.pool()),
                new Key(Part.DEVICE, name.device()), new Key(Part.POOL, name.pool()),
                new Key(Part.DRIVER, name.driver()), new Key(Part.ANY, ""));
    }
}
