package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import java.util.Comparator;
import java.util.Optional;

/**
 * How far a group that respects PodDisruptionBudgets has come with evicting strangers, and what its condition {@code
 * EvictionInProgress} shows of that. {@link #next} has all transitions. Strangers are evicted in the state {@link #EVICTING} alone.
 */
public enum StrangerEviction {
    /** It would evict more pods than a user has confirmed. */
    NOT_CONFIRMED(Condition.FALSE, Reason.NOT_CONFIRMED),
    /** No stranger is left but pods of DaemonSets, so its Nodes get {@code NoExecute}. */
    COMPLETED(Condition.FALSE, Reason.COMPLETED),
    /** Strangers have to go. The status is to show that first. */
    ANNOUNCED(Condition.TRUE, Reason.PODS_PENDING_EVICTION),
    /** Strangers have to go, and the status shows it. */
    EVICTING(Condition.TRUE, Reason.PODS_PENDING_EVICTION);

    private final String status;
    private final Reason reason;

    StrangerEviction(String status, Reason reason) {
        this.status = status;
        this.reason = reason;
    }

    /**
     * Returns the state after a decision, whatever it was before; empty if the group as declared is not in force or evicts nobody in this
     * way.
     *
     * @param shown whether the status has shown for the newest spec that strangers are evicted
     */
    public static Optional<StrangerEviction> next(
            Resolved group, Preview preview, PodFeatures features, boolean shown) {
        return group.inForce().filter(in -> features.evictions() && in.spec().equals(group.declared().desired()))
                .filter(in -> in.isEnforced() && in.spec().eviction().respectsBudgets())
                .filter(in -> in.taints().stream().anyMatch(taint -> taint.effect().equals("NoExecute")))
                .map(in -> !preview.isConfirmedBy(in.spec()) ? NOT_CONFIRMED
                        : preview.strangers().size() == preview.strangers(Stranger.End.TAINT).size() ? COMPLETED
                        : shown ? EVICTING : ANNOUNCED);
    }

    /**
     * Returns the message of the condition.
     *
     * @param preview of the group
     * @param evicted how many have been evicted since the start of the process
     * @param refused how many the server does not let go, and why
     */
    public String message(Preview preview, long evicted, Optional<String> refused) {
        String done = evicted == 0 ? "" : "; " + pods(evicted) + " evicted since the controller started";
        return switch (this) {
            case NOT_CONFIRMED -> "nobody is evicted before the number of pods is confirmed";
            case COMPLETED -> "no pod is left that has to be evicted" + done;
            case ANNOUNCED, EVICTING -> pods(preview.strangers(Stranger.End.REQUEST).size()) + " to be evicted" + done
                    + refused.map(why -> "; " + why).orElse("") + unknown(preview);
        };
    }

    private static String unknown(Preview preview) {
        return preview.strangers(Stranger.End.UNKNOWN).stream().map(stranger -> stranger.pod().toString())
                .min(Comparator.naturalOrder())
                .map(first -> "; not all is known of " + pods(preview.strangers(Stranger.End.UNKNOWN).size())
                        + ", which Nodeward does not evict, so that they keep their Nodes from NoExecute: first Pod "
                        + first)
                .orElse("");
    }

    private static String pods(long count) {
        return count == 1 ? "1 pod" : count + " pods";
    }

    /** Returns the status of the condition. */
    public String status() {
        return status;
    }

    /** Returns the reason of the condition. */
    public Reason reason() {
        return reason;
    }
}
