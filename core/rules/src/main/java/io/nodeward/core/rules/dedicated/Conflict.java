package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.Reason;
import java.util.EnumSet;
import java.util.Set;

/**
 * Why two groups cannot be in force at once, or a group cannot be in force at all, or not yet.
 *
 * @param other name of the other DedicatedNodes; empty if there is none
 * @param message one sentence for a condition
 */
public record Conflict(Reason reason, String other, String message) {
    private static final Set<Reason> OF_PODS =
            EnumSet.of(Reason.PODS_CUT_OFF, Reason.DAEMON_SETS_NOT_TOLERATING, Reason.DAEMON_SETS_REFUSED,
                    Reason.TOLERATIONS_PENDING);

    /** Returns whether the group contradicts nothing, and waits for what it would cut off or refuse. */
    public boolean isOfPods() {
        return OF_PODS.contains(reason);
    }

    /** Returns whether the group contradicts nothing, and gives up Nodes one after the other. */
    public boolean isRelease() {
        return reason == Reason.RELEASING;
    }
}
