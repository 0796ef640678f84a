package io.nodeward.core.rules.device;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.util.List;
import java.util.function.BiPredicate;

/**
 * How far a DeviceTaintRule or DeviceTaintSlice has come with evicting pods, and what its condition {@code EvictionInProgress} shows
 * of that. The table below has all transitions. A pod is deleted in the state {@link #EVICTING} alone. An object is {@link #STOPPED}
 * until it is decided on again when it is gone, when it declares something else than what was decided on, and while not all about it
 * is known.
 */
public enum EvictionState {
    /** It evicts no pod: it is being deleted, or must be decided on again. */
    STOPPED(Condition.TRUE, Reason.PODS_PENDING_EVICTION),
    /** Its taints do nothing. */
    NO_EFFECT(Condition.FALSE, Reason.NO_EFFECT),
    /** Its taints only keep pods off. */
    OTHER_EFFECT(Condition.FALSE, Reason.OTHER_EFFECT),
    /** It has a fault. */
    NOT_IN_EFFECT(Condition.FALSE, Reason.NOT_IN_EFFECT),
    /** The scheduler does not know of its taints, and will soon. */
    NOT_ENFORCED_YET(Condition.UNKNOWN, Reason.NOT_ENFORCED),
    /** The scheduler does not know of its taints. */
    NOT_ENFORCED(Condition.FALSE, Reason.NOT_ENFORCED),
    /** It selects every device, and would evict more pods than a user has confirmed. */
    NOT_CONFIRMED(Condition.FALSE, Reason.NOT_CONFIRMED),
    /** It is not known whether it selects all the devices that claims have. */
    DEVICES_UNKNOWN(Condition.UNKNOWN, Reason.DEVICES_UNKNOWN),
    /** No pod has to go, and none was evicted. */
    NOT_STARTED(Condition.FALSE, Reason.NOT_STARTED),
    /** Pods have to go. The status is to show that first: a process that comes later must know that tokens may be gone. */
    ANNOUNCED(Condition.TRUE, Reason.PODS_PENDING_EVICTION),
    /** Pods have to go, and the status shows it. */
    EVICTING(Condition.TRUE, Reason.PODS_PENDING_EVICTION),
    /** No pod is left that has to go. New pods, a confirmation or an edit begin again with {@link #ANNOUNCED}. */
    COMPLETED(Condition.FALSE, Reason.COMPLETED);

    /** The first line that holds gives the next state, whatever the state was before: the status remembers what counts of that. */
    private static final List<Line> TABLE = List.of(
            always((facts, enforced) -> facts.effect().equals(EvictionFacts.NONE), NO_EFFECT),
            always((facts, enforced) -> !facts.effect().equals(DeviceVerdict.NO_EXECUTE), OTHER_EFFECT),
            always((facts, enforced) -> facts.fault().isPresent(), NOT_IN_EFFECT),
            always((facts, enforced) -> enforced == Enforced.SOON, NOT_ENFORCED_YET),
            always((facts, enforced) -> enforced == Enforced.NO, NOT_ENFORCED),
            always((facts, enforced) -> facts.unconfirmed().isPresent(), NOT_CONFIRMED),
            always((facts, enforced) -> facts.pods() > 0 && facts.deleting(), STOPPED),
            new Line((facts, enforced) -> facts.pods() > 0, ANNOUNCED, ANNOUNCED, EVICTING),
            always((facts, enforced) -> !facts.known(), DEVICES_UNKNOWN),
            new Line((facts, enforced) -> true, NOT_STARTED, COMPLETED, COMPLETED));

    private final String status;
    private final Reason reason;

    EvictionState(String status, Reason reason) {
        this.status = status;
        this.reason = reason;
    }

    /** What the status that was seen last shows. */
    public enum Shown {
        /** It has never shown that pods are evicted. */
        NEVER,
        /** It has shown once that pods are evicted: a process may have taken the burst. */
        ONCE,
        /** It shows that pods are evicted for the newest spec. */
        NOW
    }

    /** Whether the scheduler keeps other pods off the devices, as far as it must. */
    public enum Enforced {
        YES,
        SOON,
        NO
    }

    private record Line(
            BiPredicate<EvictionFacts, Enforced> when, EvictionState never, EvictionState once, EvictionState now) {}

    private static Line always(BiPredicate<EvictionFacts, Enforced> when, EvictionState next) {
        return new Line(when, next, next, next);
    }

    /** Returns the state after a decision. */
    public static EvictionState next(Shown shown, EvictionFacts facts, Enforced enforced) {
        Line line = TABLE.stream().filter(each -> each.when.test(facts, enforced)).findFirst().orElseThrow();
        return switch (shown) {
            case NEVER -> line.never;
            case ONCE -> line.once;
            case NOW -> line.now;
        };
    }

    /** Returns whether pods may be deleted. */
    public boolean evicts() {
        return this == EVICTING;
    }

    /** Returns whether the condition is True. */
    public boolean isInProgress() {
        return status.equals(Condition.TRUE);
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
