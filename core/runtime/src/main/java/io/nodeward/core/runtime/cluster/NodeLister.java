package io.nodeward.core.runtime.cluster;

import io.nodeward.api.node.Node;
import java.util.List;
import java.util.Optional;

/** The Nodes of one workload cluster, as last seen. */
public interface NodeLister {
    Optional<Node> node(String name);

    /** More than one is a fault of the cluster, and the caller's to report. */
    List<Node> nodesByProviderId(String providerId);
}
