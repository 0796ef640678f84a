package io.nodeward.controller.app;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Features that can be switched, as in Kubernetes: each has a stage and a default. */
enum FeatureGates {
    MachineTaintPropagation("Beta", true);

    static final String HELP = "  MachineTaintPropagation=true|false (Beta, default true)";

    private final String stage;
    private final boolean enabledByDefault;

    FeatureGates(String stage, boolean enabledByDefault) {
        this.stage = stage;
        this.enabledByDefault = enabledByDefault;
    }

    String stage() {
        return stage;
    }

    /**
     * The state of every gate.
     *
     * @throws IllegalArgumentException for an unknown gate or a value that is no boolean
     */
    static Map<FeatureGates, Boolean> states(Map<String, String> switches) {
        Map<FeatureGates, Boolean> states = new EnumMap<>(FeatureGates.class);
        for (FeatureGates gate : values()) {
            states.put(gate, gate.enabledByDefault);
        }
        switches.forEach((name, value) -> states.put(named(name), bool(name, value)));
        return states;
    }

    private static FeatureGates named(String name) {
        for (FeatureGates gate : values()) {
            if (gate.name().equals(name)) {
                return gate;
            }
        }
        throw new IllegalArgumentException(
                "--feature-gates: unknown gate '" + name + "'" + Nearest.hint(name, Arrays.stream(values()).map(Enum::name).toList()));
    }

    private static boolean bool(String name, String value) {
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("--feature-gates: " + name + " is true or false, not '" + value + "'");
        };
    }
}
