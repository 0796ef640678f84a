package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.controller.WorkloadListener;
import java.util.Optional;

/** The Nodes of all workload clusters. */
public interface NodeListers {
    /** Returns the Nodes of the cluster, if it is connected, all its Nodes have been seen, and it answers. */
    Optional<? extends NodeView> find(ObjectKey cluster);

    /** To be called before the start: what clusters are connected by is watched only if somebody listens. */
    void subscribe(WorkloadListener<Node> listener);

    /** What to wait for where {@link #find} finds nothing. */
    static String awaited(ObjectKey cluster) {
        return "Cluster " + cluster + " to be connected and answer";
    }
}
