package io.nodeward.core.runtime.controller;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;

/**
 * A change of a Node in the cluster that the process runs against.
 *
 * @param nodes the cache that it was planned from; it holds what has become of the Node before the watch brings it back, and
 *     its listeners do not hear of own writes
 * @param plannedFrom annotations that decided the change, present or not: it holds on their values
 */
public record HomeNodeUpdate(ObjectCache<Node> nodes, Node before, NodeChange change, List<String> plannedFrom)
        implements NodeWrite {
    public HomeNodeUpdate {
        plannedFrom = List.copyOf(plannedFrom);
    }

    /** The one who installs Nodeward grants the rights in this cluster; nobody else does later. */
    @Override
    public boolean reportsMissingRightAtOnce() {
        return true;
    }
}
