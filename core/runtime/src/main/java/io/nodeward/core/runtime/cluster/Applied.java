package io.nodeward.core.runtime.cluster;

import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiFailure;
import java.util.Optional;

/** What became of a change. */
public sealed interface Applied {
    /** It is on the Node. */
    record Written(Node after) implements Applied {}

    /** It was only observed: nothing is written while observing. */
    record Observed() implements Applied {}

    /**
     * The Node was not any more what the change was planned from.
     *
     * @param newer to plan from again; empty if the Node is gone
     */
    record Stale(Optional<Node> newer, ApiFailure failure) implements Applied {}
}
