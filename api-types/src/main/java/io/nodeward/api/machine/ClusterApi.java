package io.nodeward.api.machine;

/**
 * Names of Cluster API's wire formats. They are kept to the byte: a fleet goes from the upstream manager to Nodeward, or
 * back, without a write.
 */
public final class ClusterApi {
    public static final String GROUP = "cluster.x-k8s.io";

    /** On the Node: owned {@code Always} taints, {@code key:effect} sorted bytewise, joined by commas. Its presence says "initialized". */
    public static final String TAINTS_FROM_MACHINE = "cluster.x-k8s.io/taints-from-machine";
    /** On the Node: keys of labels that came from the Machine, sorted, joined by commas. */
    public static final String LABELS_FROM_MACHINE = "cluster.x-k8s.io/labels-from-machine";
    /** On the Node: keys of annotations that came from the Machine, sorted, joined by commas. */
    public static final String ANNOTATIONS_FROM_MACHINE = "cluster.x-k8s.io/annotations-from-machine";

    public static final String CLUSTER_NAME_ANNOTATION = "cluster.x-k8s.io/cluster-name";
    public static final String CLUSTER_NAMESPACE_ANNOTATION = "cluster.x-k8s.io/cluster-namespace";
    public static final String MACHINE_ANNOTATION = "cluster.x-k8s.io/machine";
    public static final String OWNER_KIND_ANNOTATION = "cluster.x-k8s.io/owner-kind";
    public static final String OWNER_NAME_ANNOTATION = "cluster.x-k8s.io/owner-name";

    /** Key of the taint a worker Node registers with until its Machine's taints and labels are on it. */
    public static final String UNINITIALIZED_TAINT = "node.cluster.x-k8s.io/uninitialized";
    /** Key of the upstream manager's rollout taint: not managed by Nodeward, never added, removed or tracked. */
    public static final String OUTDATED_REVISION_TAINT = "node.cluster.x-k8s.io/outdated-revision";

    public static final String INTERRUPTIBLE_LABEL = "cluster.x-k8s.io/interruptible";
    public static final String CONTROL_PLANE_LABEL = "cluster.x-k8s.io/control-plane";
    public static final String CLUSTER_NAME_LABEL = "cluster.x-k8s.io/cluster-name";
    /** On Machines: the MachineDeployment that they are of. */
    public static final String DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name";
    /** On what the topology controller makes of a Cluster and its ClusterClass. */
    public static final String TOPOLOGY_OWNED_LABEL = "topology.cluster.x-k8s.io/owned";
    public static final String WATCH_FILTER_LABEL = "cluster.x-k8s.io/watch-filter";
    /** Presence pauses the object, whatever the value. */
    public static final String PAUSED_ANNOTATION = "cluster.x-k8s.io/paused";

    /** Type of the Secret that holds a workload cluster's kubeconfig. */
    public static final String SECRET_TYPE = "cluster.x-k8s.io/secret";

    private ClusterApi() {}
}
