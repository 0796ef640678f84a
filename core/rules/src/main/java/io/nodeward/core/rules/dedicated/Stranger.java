package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;

/**
 * A pod on a Node of a group that the group's {@code NoExecute} would newly evict, or may.
 *
 * @param tolerated how long it tolerates the taint
 * @param end what ends it, if the group respects budgets
 */
public record Stranger(ObjectKey pod, String uid, String node, Duration tolerated, End end) {
    /** What ends a stranger. */
    public enum End {
        /** A request of Nodeward, before the Node gets {@code NoExecute}. */
        REQUEST,
        /** The taint: the controller of its DaemonSet would make a pod that ends before it anew. */
        TAINT,
        /** Nodeward leaves it: not all is known of it, or of the template of its DaemonSet, so that it may tolerate the taint. */
        UNKNOWN
    }
}
