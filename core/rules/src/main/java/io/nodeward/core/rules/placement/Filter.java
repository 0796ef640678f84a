package io.nodeward.core.rules.placement;

/**
 * What kube-scheduler looks at, in the order in which it does by default. Behind these come ports, resources, volumes,
 * topology spread, affinity to pods and claims of devices, which are not looked at here.
 */
public enum Filter {
    /** A pod with gates is not looked at until all of them are gone. */
    SCHEDULING_GATES("SchedulingGates", "the pod has scheduling gates"),
    /** Before anything else, Nodes are left out that a pod excludes by their names. */
    NODE_AFFINITY_NAME("NodeAffinity", "the pod's affinity names other Nodes"),
    NODE_UNSCHEDULABLE("NodeUnschedulable", "the Node is cordoned"),
    NODE_NAME("NodeName", "the pod names another Node"),
    TAINT_TOLERATION("TaintToleration", "untolerated taint"),
    NODE_AFFINITY("NodeAffinity", "the pod's node selector or affinity does not match");

    private final String plugin;
    private final String words;

    Filter(String plugin, String words) {
        this.plugin = plugin;
        this.words = words;
    }

    /** The scheduler's plugin. */
    public String plugin() {
        return plugin;
    }

    public String words() {
        return words;
    }
}
