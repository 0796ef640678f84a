package io.nodeward.cli;

import io.nodeward.core.rules.dedicated.PodFeatures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The controller's {@code --feature-gates}, of which few matter to what is asked from outside. */
final class GateSwitches {
    static final String PROPAGATION = "MachineTaintPropagation";
    private static final String POOLS = "MachinePoolTaintPropagation";
    private static final String TOPOLOGIES = "TopologyTaintPropagation";
    private static final String DEDICATED = "DedicatedNodes";
    private static final String ADMISSION = "DedicatedPodAdmission";
    private static final String TOLERATIONS = "DedicatedPodTolerations";
    private static final String EVICTIONS = "DedicatedEvictions";
    /** All of the controller, so that its flag can be given as it is, and a typo in a name is not taken for "on". */
    private static final List<String> KNOWN = List.of("AllAlpha", "AllBeta", PROPAGATION, POOLS,
            TOPOLOGIES, "MachineTaintAdmission", "AutoscalerAdapter", DEDICATED, ADMISSION,
            TOLERATIONS, EVICTIONS, "DeviceTaints", "NodeTaintGuards");

    @Option(names = "--feature-gates", paramLabel = "GATE=BOOL", split = ",", description = "As the controller is"
            + " started with. Of its gates, MachineTaintPropagation=true|false (default true) matters, and where"
            + " taints are followed to Nodes (plan, explain, tree) MachinePoolTaintPropagation and"
            + " TopologyTaintPropagation, and of plans DedicatedNodes, DedicatedPodAdmission,"
            + " DedicatedPodTolerations and DedicatedEvictions")
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

    /** Whether taints come to Nodes of MachinePools; empty if the gate is not given, as it is off by default. */
    Optional<Boolean> pools() {
        return alpha(POOLS);
    }

    /** Likewise whether the taints of Clusters and ClusterClasses are merged. */
    Optional<Boolean> topologies() {
        return alpha(TOPOLOGIES);
    }

    /** Empty if nobody said. */
    Optional<Boolean> dedicatedNodes() {
        return alpha(DEDICATED);
    }

    /** What is done to pods; nothing, unless it is said. */
    PodFeatures pods() {
        return new PodFeatures(alpha(ADMISSION).orElse(false), alpha(TOLERATIONS).orElse(false),
                alpha(EVICTIONS).orElse(false));
    }

    private Optional<Boolean> alpha(String name) {
        return Optional.ofNullable(given.get(name)).or(() -> Optional.ofNullable(given.get("AllAlpha")))
                .map(Boolean::parseBoolean);
    }
}
