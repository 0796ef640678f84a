package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which devices each rule selects or may select, and the other way round. A rule and a device of which the answer is
 * {@link DeviceMatch#NO} take no memory. Not safe for several threads.
 */
final class RuleDevices {
    /** So much of the text of an unknown answer takes as much memory as a pair. */
    private static final int TEXT = 64;

    private final Map<String, Map<DeviceName, DeviceMatch>> devices = new HashMap<>();
    private final Map<DeviceName, Set<String>> rules = new HashMap<>();
    private long size;

    /** Of a rule, the answers that are not NO. */
    Map<DeviceName, DeviceMatch> devices(String rule) {
        return Collections.unmodifiableMap(devices.getOrDefault(rule, Map.of()));
    }

    /** The rules that have such an answer about a device. */
    Set<String> rules(DeviceName device) {
        return Collections.unmodifiableSet(rules.getOrDefault(device, Set.of()));
    }

    /** The number of pairs. An unknown answer counts as several, by its length. */
    long size() {
        return size;
    }

    /** Returns whether the answer was another one. */
    boolean set(String rule, DeviceName device, DeviceMatch now) {
        DeviceMatch was = devices.getOrDefault(rule, Map.of()).getOrDefault(device, DeviceMatch.NO);
        if (was.equals(now)) {
            return false;
        }
        size += size(now) - size(was);
        if (now.equals(DeviceMatch.NO)) {
            devices.computeIfPresent(rule, (any, all) -> all.remove(device) != null && all.isEmpty() ? null : all);
            rules.computeIfPresent(device, (any, all) -> all.remove(rule) && all.isEmpty() ? null : all);
        } else {
            devices.computeIfAbsent(rule, any -> new HashMap<>()).put(device, now);
            rules.computeIfAbsent(device, any -> new HashSet<>()).add(rule);
        }
        return true;
    }

    /** Forgets all answers of a rule. */
    void removeRule(String rule) {
        List.copyOf(devices(rule).keySet()).forEach(device -> set(rule, device, DeviceMatch.NO));
    }

    /** Forgets all answers about a device. Returns the rules that had one. */
    Set<String> removeDevice(DeviceName device) {
        Set<String> before = Set.copyOf(rules(device));
        before.forEach(rule -> set(rule, device, DeviceMatch.NO));
        return before;
    }

    private static int size(DeviceMatch match) {
        return switch (match) {
            case DeviceMatch.Known(boolean holds) -> holds ? 1 : 0;
            case DeviceMatch.Unknown(String why) -> 2 + why.length() / TEXT;
        };
    }
}
