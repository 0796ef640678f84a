package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which rules may select a device, and the other way round: a rule is found by the most specific name that it sets (device
 * of a pool, device, pool, driver, none), a device by each of these. Not safe for several threads.
 */
final class NameIndex {
    private final Map<Key, Set<String>> rules = new HashMap<>();
    private final Map<Key, Set<DeviceName>> devices = new HashMap<>();

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

    void add(String rule, DeviceTaintSelector selector) {
        rules.computeIfAbsent(key(selector), any -> new HashSet<>()).add(rule);
    }

    void remove(String rule, DeviceTaintSelector selector) {
        remove(rules, key(selector), rule);
    }

    void add(DeviceName device) {
        keys(device).forEach(key -> devices.computeIfAbsent(key, any -> new HashSet<>()).add(device));
    }

    void remove(DeviceName device) {
        keys(device).forEach(key -> remove(devices, key, device));
    }

    /** All rules that select the device, and some more. */
    Collection<String> rules(DeviceName device) {
        List<String> all = new ArrayList<>();
        keys(device).forEach(key -> all.addAll(rules.getOrDefault(key, Set.of())));
        return all;
    }

    /** All devices that one of the selectors selects, and some more. */
    Collection<DeviceName> devices(Stream<DeviceTaintSelector> selectors) {
        Set<Key> all = selectors.map(NameIndex::key).collect(Collectors.toSet());
        return all.size() == 1 // often; rules without names have all devices
                ? Collections.unmodifiableSet(devices.getOrDefault(all.iterator().next(), Set.of()))
                : all.stream().flatMap(key -> devices.getOrDefault(key, Set.of()).stream()).collect(Collectors.toSet());
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

    private static <T> void remove(Map<Key, Set<T>> index, Key key, T element) {
        index.computeIfPresent(key, (any, all) -> {
            all.remove(element);
            return all.isEmpty() ? null : all;
        });
    }
}
