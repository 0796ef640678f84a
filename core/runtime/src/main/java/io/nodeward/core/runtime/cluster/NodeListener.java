package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import org.jspecify.annotations.Nullable;

/** Told of each change of a Node's state in any workload cluster; it must not block. */
@FunctionalInterface
public interface NodeListener {
    /**
     * @param before null if the Node is new, or the cluster newly connected
     * @param after null if the Node is gone
     */
    void changed(ObjectKey cluster, @Nullable Node before, @Nullable Node after);
}
