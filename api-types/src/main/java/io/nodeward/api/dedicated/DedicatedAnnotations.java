package io.nodeward.api.dedicated;

/** Names of the annotations with which Nodes say what they have because of a group. */
public final class DedicatedAnnotations {
    /** Taints, {@code key:effect} sorted bytewise, joined by commas. Absent if there is none. */
    public static final String TAINTS = "nodeward.io/taints-from-dedicated-nodes";
    /** Keys of labels, sorted, joined by commas. Absent if there is none. */
    public static final String LABELS = "nodeward.io/labels-from-dedicated-nodes";

    private DedicatedAnnotations() {}
}
