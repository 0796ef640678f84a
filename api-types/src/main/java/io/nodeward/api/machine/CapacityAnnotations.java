package io.nodeward.api.machine;

/**
 * Names of the annotations with which a MachineDeployment, MachineSet or MachinePool tells the cluster-autoscaler what its
 * Nodes will have, and of those that say what of it is Nodeward's.
 */
public final class CapacityAnnotations {
    /** {@code key=value:Effect}, joined by commas without blanks. */
    public static final String TAINTS = "capacity.cluster-autoscaler.kubernetes.io/taints";
    /** {@code key=value}, joined by commas without blanks. */
    public static final String LABELS = "capacity.cluster-autoscaler.kubernetes.io/labels";

    /** Entries of {@link #TAINTS} that Nodeward wrote, {@code key=value:Effect} sorted bytewise; all others are users'. */
    public static final String TAINTS_TRACKING = "nodeward.io/capacity-taints";
    /** Likewise of {@link #LABELS}, {@code key=value}. */
    public static final String LABELS_TRACKING = "nodeward.io/capacity-labels";

    /** Behind the group of Cluster API and a slash; with {@link #MAX_SIZE} it makes a node group. */
    public static final String MIN_SIZE = "cluster-api-autoscaler-node-group-min-size";
    public static final String MAX_SIZE = "cluster-api-autoscaler-node-group-max-size";

    private CapacityAnnotations() {}
}
