package io.nodeward.core.rules.capacity;

import java.util.Set;

/**
 * What the autoscaler is told. Decided once, by who wires a controller from gates and flags.
 *
 * @param propagatesTaints the gate MachineTaintPropagation; without it no Node gets a declared taint, and annotations
 *     are neither read nor written
 * @param onInitialization what becomes of taints declared for initialization alone
 * @param autoscaler which of them is in use, as far as it is known
 * @param startupTaints keys that it was told to take for startup taints, besides those it knows by their prefix
 */
public record CapacityPolicy(
        boolean propagatesTaints,
        OnInitialization onInitialization,
        Autoscaler autoscaler,
        Set<String> startupTaints) {
    /** Before a key, it makes a startup taint. */
    static final String STARTUP_PREFIX = "startup-taint.cluster-autoscaler.kubernetes.io/";
    /** The older one of the same meaning. */
    private static final String IGNORE_PREFIX = "ignore-taint.cluster-autoscaler.kubernetes.io/";

    public CapacityPolicy {
        startupTaints = Set.copyOf(startupTaints);
    }

    /** All that is declared, for whatever autoscaler. */
    public static CapacityPolicy standard() {
        return new CapacityPolicy(true, OnInitialization.INCLUDE, Autoscaler.UNKNOWN, Set.of());
    }

    public CapacityPolicy withTaints(boolean propagated) {
        return new CapacityPolicy(propagated, onInitialization, autoscaler, startupTaints);
    }

    public CapacityPolicy withOnInitialization(OnInitialization what) {
        return new CapacityPolicy(propagatesTaints, what, autoscaler, startupTaints);
    }

    public CapacityPolicy withAutoscaler(Autoscaler used) {
        return new CapacityPolicy(propagatesTaints, onInitialization, used, startupTaints);
    }

    public CapacityPolicy withStartupTaints(Set<String> keys) {
        return new CapacityPolicy(propagatesTaints, onInitialization, autoscaler, keys);
    }

    /** Whether the autoscaler leaves taints of this key out of its simulation. */
    boolean isStartup(String key) {
        return key.startsWith(STARTUP_PREFIX) || key.startsWith(IGNORE_PREFIX) || startupTaints.contains(key);
    }
}
