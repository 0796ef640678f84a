package io.nodeward.controller.app;

/** A feature that can be switched, as in Kubernetes. */
enum FeatureGate {
    MachineTaintPropagation("Beta", true),
    MachinePoolTaintPropagation("Alpha", false),
    TopologyTaintPropagation("Alpha", false),
    MachineTaintAdmission("Alpha", false),
    AutoscalerAdapter("Alpha", false);

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
}
