package io.nodeward.core.rules.origin;

/** Where a taint comes from. */
public enum Source {
    CLUSTER_CLASS("ClusterClass"),
    CLUSTER("Cluster"),
    CONTROL_PLANE("ControlPlane"),
    MACHINE_DEPLOYMENT("MachineDeployment"),
    MACHINE_SET("MachineSet"),
    MACHINE_POOL("MachinePool"),
    MACHINE("Machine"),
    /** A group of Nodes that belongs to some pods. */
    DEDICATED_NODES("DedicatedNodes"),
    /** What a kubelet registered its Node with: its own flag, or what kubeadm made of a configuration. */
    BOOTSTRAP("Bootstrap"),
    /** The controller that turns conditions of a Node into taints, and the admission plugin that anticipates it. */
    NODE_LIFECYCLE("NodeLifecycle"),
    CLOUD_PROVIDER("CloudProvider"),
    /** Cluster API itself, for its own purposes. */
    CLUSTER_API("ClusterAPI"),
    AUTOSCALER("Autoscaler"),
    HUMAN("Human"),
    /** Another program. */
    CONTROLLER("Controller"),
    UNKNOWN("Unknown");

    private final String text;

    Source(String text) {
        this.text = text;
    }

    /** One word, as programs read it. */
    public String text() {
        return text;
    }
}
