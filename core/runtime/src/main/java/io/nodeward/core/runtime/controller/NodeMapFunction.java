package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a change of a Node concerns, as a {@link MapFunction} does.
 *
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface NodeMapFunction<K> {
    /**
     * @param cluster the Node's
     * @param before null if the Node is new
     * @param after null if the Node is gone
     */
    Set<K> map(ObjectKey cluster, @Nullable Node before, @Nullable Node after);
}
