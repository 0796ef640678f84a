package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeView;
import java.util.Optional;

/** The Nodes of all workload clusters. */
public interface NodeListers {
    /** Those of the cluster, if it is connected, all its Nodes have been seen, and it answers. */
    Optional<? extends NodeView> find(ObjectKey cluster);

    /** What to wait for where {@link #find} finds nothing. */
    static String awaited(ObjectKey cluster) {
        return "Cluster " + cluster + " to be connected and answer";
    }

    /** To be called before anything is connected. */
    void subscribe(WorkloadListener listener);
}
