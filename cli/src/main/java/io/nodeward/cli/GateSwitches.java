package io.nodeward.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The controller's {@code --feature-gates}, of which one matters to what is asked here. */
final class GateSwitches {
    static final String PROPAGATION = "MachineTaintPropagation";
    /** All of the controller, so that its flag can be given as it is, and a slip in a name is not taken for "on". */
    private static final List<String> KNOWN = List.of("AllAlpha", "AllBeta", PROPAGATION, "MachinePoolTaintPropagation",
            "TopologyTaintPropagation", "MachineTaintAdmission", "AutoscalerAdapter");

    @Option(names = "--feature-gates", paramLabel = "GATE=BOOL", split = ",", description = "As the controller is"
            + " started with. Of its gates, MachineTaintPropagation=true|false (default true) matters here")
    Map<String, String> given = new LinkedHashMap<>();

    /** @throws IllegalArgumentException for an unknown gate, or a value that is no boolean */
    boolean propagates() {
        given.forEach((name, value) -> {
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException("--feature-gates: unknown gate '" + name + "'; there are: "
                        + String.join(", ", KNOWN));
            }
            if (!value.equals("true") && !value.equals("false")) {
                throw new IllegalArgumentException(
                        "--feature-gates: " + name + " is true or false, not '" + value + "'");
            }
        });
        return Boolean.parseBoolean(given.getOrDefault(PROPAGATION, given.getOrDefault("AllBeta", "true")));
    }
}
