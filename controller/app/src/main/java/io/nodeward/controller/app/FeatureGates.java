package io.nodeward.controller.app;

import io.nodeward.controller.app.KnownController.FeatureGate;
import io.nodeward.core.rules.command.Nearest;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which features are on.
 *
 * @param on the others are off
 * @param switchedOff of those that are off, the ones that are off by their own names
 */
record FeatureGates(Set<FeatureGate> on, Set<FeatureGate> switchedOff) {
    /**
     * @param switches gate names to {@code true} or {@code false}; what they say of a gate goes before what they say of
     *            all of its stage, and that before its default
     * @throws IllegalArgumentException for an unknown gate or a value that is no boolean
     */
    static FeatureGates of(Map<String, String> switches) {
        Map<FeatureGate, Boolean> given = new EnumMap<>(FeatureGate.class);
        switches.forEach((name, value) -> given.put(named(name), bool(name, value)));
        Set<FeatureGate> on = EnumSet.noneOf(FeatureGate.class);
        Set<FeatureGate> switchedOff = EnumSet.noneOf(FeatureGate.class);
        for (FeatureGate gate : FeatureGate.values()) {
            Optional<Boolean> all = gate.ofAll().map(given::get);
            if (given.getOrDefault(gate, all.orElse(gate.enabledByDefault()))) {
                on.add(gate);
            } else if (given.containsKey(gate)) {
                switchedOff.add(gate);
            }
        }
        return new FeatureGates(on, switchedOff);
    }

    boolean isOn(FeatureGate gate) {
        return on.contains(gate);
    }

    boolean isSwitchedOff(FeatureGate gate) {
        return switchedOff.contains(gate);
    }

    private static FeatureGate named(String name) {
        return Arrays.stream(FeatureGate.values())
                .filter(gate -> gate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--feature-gates: unknown gate '" + name + "'"
                        + Nearest.hint(name, Arrays.stream(FeatureGate.values()).map(Enum::name).toList())));
    }

    private static boolean bool(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(
                    "--feature-gates: " + name + " is true or false, not '" + value + "'");
        };
    }
}
