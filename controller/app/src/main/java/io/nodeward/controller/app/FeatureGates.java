package io.nodeward.controller.app;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * Which features are on.
 *
 * @param on the others are off
 */
record FeatureGates(Set<FeatureGate> on) {
    static final String HELP = "  MachineTaintPropagation=true|false (Beta, default true)%n"
            + "  MachinePoolTaintPropagation=true|false (Alpha, default false)%n"
            + "  TopologyTaintPropagation=true|false (Alpha, default false)%n"
            + "  MachineTaintAdmission=true|false (Alpha, default false)%n"
            + "  AutoscalerAdapter=true|false (Alpha, default false)";

    /**
     * @param switches gate names to {@code true} or {@code false}; gates that are not among them have their default
     * @throws IllegalArgumentException for an unknown gate or a value that is no boolean
     */
    static FeatureGates of(Map<String, String> switches) {
        Set<FeatureGate> on = EnumSet.noneOf(FeatureGate.class);
        Arrays.stream(FeatureGate.values()).filter(FeatureGate::enabledByDefault).forEach(on::add);
        switches.forEach((name, value) -> {
            if (bool(name, value)) {
                on.add(named(name));
            } else {
                on.remove(named(name));
            }
        });
        return new FeatureGates(on);
    }

    boolean isOn(FeatureGate gate) {
        return on.contains(gate);
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
