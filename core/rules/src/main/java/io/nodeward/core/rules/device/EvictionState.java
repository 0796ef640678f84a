package io.nodeward.core.rules.device;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.toleration.DeviceVerdict;

/**
 * How far a DeviceTaintRule or DeviceTaintSlice has come with evicting pods, and what its condition {@code EvictionInProgress} shows
 * of that. {@link #next} has all transitions. A pod is deleted in the state {@link #EVICTING} alone. An object is {@link #STOPPED}
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

    /** What the scheduler knows of the taints, as far as it must. */
    public enum Enforced {
        /** It knows that all devices have them. */
        YES,
        /** It knows that some devices have them, and will soon of the others. */
        PARTLY,
        /** It will know soon that any device has them. */
        SOON,
        NO
    }

    /** Returns the state after a decision, whatever it was before: the status remembers what counts of that. */
    public static EvictionState next(Shown shown, EvictionFacts facts, Enforced enforced) {
        if (!facts.effect().equals(DeviceVerdict.NO_EXECUTE)) {
            return facts.effect().equals(EvictionFacts.NONE) ? NO_EFFECT : OTHER_EFFECT;
        }
        if (facts.fault().isPresent()) {
            return NOT_IN_EFFECT;
        }
        if (enforced != Enforced.YES && !(enforced == Enforced.PARTLY && goesOn(shown, facts))) {
            return enforced == Enforced.NO ? NOT_ENFORCED : NOT_ENFORCED_YET;
        }
        if (facts.unconfirmed().isPresent()) {
            return NOT_CONFIRMED;
        }
        if (facts.pods() == 0) {
            return !facts.known() ? DEVICES_UNKNOWN : shown == Shown.NEVER ? NOT_STARTED : COMPLETED;
        }
        if (facts.deleting()) {
            return STOPPED;
        }
        return shown == Shown.NOW ? EVICTING : ANNOUNCED;
    }

    /** Returns whether new devices do not stop it. An edited rule stops, as it may select others. */
    private static boolean goesOn(Shown shown, EvictionFacts facts) {
        return shown == Shown.NOW || shown == Shown.ONCE && facts.listed();
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
