package io.nodeward.api.machine;

/**
 * Names of the annotations that declare taints where {@code spec.taints} cannot be set: Cluster API carries annotations
 * from a topology or a template down to its Machines in place, whatever its feature gates say.
 */
public final class TaintAnnotations {
    /**
     * On an owner of Nodes, with any name after it: one taint each, {@code key[=value]:Effect}, or {@code
     * key[=value]:Effect:OnInitialization}.
     */
    public static final String PREFIX = "taint.nodeward.io/";

    /**
     * On the Node, once a taint was declared so: those of them that are owned, {@code key:effect} sorted bytewise, joined
     * by commas. Its presence says "initialized", as of {@link ClusterApi#TAINTS_FROM_MACHINE}.
     */
    public static final String TRACKING = "nodeward.io/taints-from-annotations";

    /** On an owner of Nodes: so many of them may newly get {@code NoExecute} by what it declares. */
    public static final String CONFIRMED = "nodeward.io/confirmed-noexecute-nodes";

    private TaintAnnotations() {}
}
