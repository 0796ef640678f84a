package io.nodeward.controller.app;

import java.util.Arrays;
import java.util.Optional;

/** A feature that can be switched, as in Kubernetes. */
enum FeatureGate {
    /** All of this stage, but for those that are switched by their own names. */
    AllAlpha("Alpha", false),
    AllBeta("Beta", false),
    MachineTaintPropagation("Beta", true),
    MachinePoolTaintPropagation("Alpha", false),
    TopologyTaintPropagation("Alpha", false),
    MachineTaintAdmission("Alpha", false),
    AutoscalerAdapter("Alpha", false),
    DedicatedNodes("Alpha", false);

    private final String stage;
    private final boolean enabledByDefault;

    FeatureGate(String stage, boolean enabledByDefault) {
        this.stage = stage;
        this.enabledByDefault = enabledByDefault;
    }

    /** Alpha, Beta or GA. */
    String stage() {
        return stage;
    }

    boolean enabledByDefault() {
        return enabledByDefault;
    }

    /** The gate that switches all of its stage; empty if there is none. */
    Optional<FeatureGate> ofAll() {
        return Arrays.stream(values()).filter(gate -> gate.name().equals("All" + stage)).findFirst();
    }
}
