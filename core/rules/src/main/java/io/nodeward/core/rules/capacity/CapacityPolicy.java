package io.nodeward.core.rules.capacity;

/**
 * What is advertised to the autoscaler. Decided once, by who wires a controller from gates and flags.
 *
 * @param propagatesTaints the gate MachineTaintPropagation; without it no Node gets a declared taint, and annotations
 *     are neither read nor written
 * @param onInitialization what becomes of taints declared for initialization alone
 * @param autoscaler which of them is in use, as far as it is known
 * @param ignored what its flags leave out of its simulation
 * @param adopts whether a user's entry that says what is declared becomes ours, and goes when it is declared no more
 */
public record CapacityPolicy(
        boolean propagatesTaints,
        OnInitialization onInitialization,
        Autoscaler autoscaler,
        IgnoredTaints ignored,
        boolean adopts) {
    /** All that is declared, for whatever autoscaler. */
    public static CapacityPolicy standard() {
        return new CapacityPolicy(true, OnInitialization.INCLUDE, Autoscaler.UNKNOWN, IgnoredTaints.NONE, false);
    }

    public CapacityPolicy withTaints(boolean propagated) {
        return new CapacityPolicy(propagated, onInitialization, autoscaler, ignored, adopts);
    }

    public CapacityPolicy withOnInitialization(OnInitialization what) {
        return new CapacityPolicy(propagatesTaints, what, autoscaler, ignored, adopts);
    }

    /** Whether the autoscaler leaves taints of this key out of its simulation. */
    boolean isIgnored(String key) {
        return ignored.has(key) || IgnoredTaints.isKnown(key, autoscaler);
    }
}
