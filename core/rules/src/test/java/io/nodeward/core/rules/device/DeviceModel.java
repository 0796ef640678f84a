package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Slices, rules and classes in the tests of {@link TaintedDevices}, which counts evaluations here. */
final class DeviceModel {
    final TaintedDevices<Map<String, String>> tainted = new TaintedDevices<>(this::evaluate);
    private final Pools<Map<String, String>> pools = new Pools<>();
    private int evaluations;

    /** {@code key=value} of an attribute; of a device without the attribute it has no answer. */
    private DeviceMatch evaluate(String expression, Map<String, String> facts) {
        evaluations++;
        return answer(expression, facts);
    }

    static DeviceMatch answer(String expression, Map<String, String> facts) {
        int equals = expression.indexOf('=');
        String key = expression.substring(0, equals);
        return facts.containsKey(key)
                ? DeviceMatch.of(expression.substring(equals + 1).equals(facts.get(key)))
                : new DeviceMatch.Unknown("no such key: " + key);
    }

    /** How many there were since this was asked last. */
    int evaluations() {
        int count = evaluations;
        evaluations = 0;
        return count;
    }

    Set<String> slice(String name, Slice<Map<String, String>> slice) {
        return tainted.devices(pools.slice(name, Optional.of(slice)));
    }

    Set<String> remove(String slice) {
        return tainted.devices(pools.slice(slice, Optional.empty()));
    }

    Map<DeviceName, Device<Map<String, String>>> published() {
        return pools.published();
    }

    /** Names of the devices that a rule selects. */
    Set<String> selected(String rule) {
        Set<String> names = new TreeSet<>();
        tainted.devices(rule).forEach((name, answer) -> {
            if (answer.match().equals(DeviceMatch.YES)) {
                names.add(name.device());
            }
        });
        return names;
    }

    static Slice<Map<String, String>> slice(String pool, Map<String, Map<String, String>> devices) {
        return new Slice<>("d", pool, 1, devices.entrySet().stream()
                .map(device -> new Device<>(device.getKey(), device.getValue(), List.of())).toList());
    }

    /** Each part is {@code class:c}, {@code driver:d}, {@code pool:p}, {@code device:x} or an expression. */
    static Optional<DeviceTaintSelector> selector(String... parts) {
        return Optional.of(new DeviceTaintSelector(part("class:", parts), part("driver:", parts), part("pool:", parts),
                part("device:", parts), List.of(parts).stream().filter(part -> part.contains("=")).toList()));
    }

    private static Optional<String> part(String prefix, String... parts) {
        return List.of(parts).stream().filter(part -> part.startsWith(prefix)).findFirst()
                .map(part -> part.substring(prefix.length()));
    }
}
