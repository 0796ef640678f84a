package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import org.jspecify.annotations.Nullable;

/** Told what happens in workload clusters; it must not block. */
public interface WorkloadListener {
    /**
     * A Node's state has changed, since all Nodes of the cluster have been seen.
     *
     * @param before null if the Node is new
     * @param after null if the Node is gone
     */
    void nodeChanged(ObjectKey cluster, @Nullable Node before, @Nullable Node after);

    /**
     * The cluster answers and all its Nodes have been seen, and that was not so before: all that is in it, and all that
     * waited for it, is to be looked at.
     */
    void available(ObjectKey cluster);
}
