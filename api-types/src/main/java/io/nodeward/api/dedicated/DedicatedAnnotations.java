package io.nodeward.api.dedicated;

/** Names of annotations and labels of groups, and of Nodes that have something because of a group. */
public final class DedicatedAnnotations {
    /** Taints, {@code key:effect} sorted bytewise, joined by commas. Absent if there is none. */
    public static final String TAINTS = "nodeward.io/taints-from-dedicated-nodes";
    /** Keys of labels, sorted, joined by commas. Absent if there is none. */
    public static final String LABELS = "nodeward.io/labels-from-dedicated-nodes";

    /** A label: the digest of both annotations. No kubelet may set it, so that none can forge them. */
    public static final String DIGEST = "nodeward.node-restriction.kubernetes.io/dedicated-nodes-digest";

    /** On a DedicatedNodes: {@code true} has it come into force although pods of DaemonSets are refused then. */
    public static final String REFUSE_DAEMON_SETS = "nodeward.io/refuse-daemonsets";

    private DedicatedAnnotations() {}
}
