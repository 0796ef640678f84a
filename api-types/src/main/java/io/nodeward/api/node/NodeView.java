package io.nodeward.api.node;

import java.util.List;
import java.util.Optional;

/** The Nodes of one workload cluster, found in constant time: in a cache, or in files. */
public interface NodeView {
    /** Without any Node, as of a cluster that is not connected. */
    NodeView NONE = new NodeView() {
        @Override
        public Optional<Node> node(String name) {
            return Optional.empty();
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return List.of();
        }
    };

    Optional<Node> node(String name);

    /** Ordered by name. More than one is a fault of the cluster, and the caller's to report. */
    List<Node> nodesByProviderId(String providerId);

    /**
     * As above, but no more than so many of them, whichever: a cluster may have thousands with one providerID, and two show
     * the fault. A cache finds them without looking at the others.
     */
    default List<Node> nodesByProviderId(String providerId, int atMost) {
        return nodesByProviderId(providerId).stream().limit(atMost).toList();
    }
}
