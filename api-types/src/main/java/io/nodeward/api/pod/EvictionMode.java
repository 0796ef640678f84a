package io.nodeward.api.pod;

import io.nodeward.api.admission.Tree;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * How pods are evicted for the taints of a DeviceTaintRule, DeviceTaintSlice or DedicatedNodes.
 *
 * @param name {@link #DELETE} or {@link #RESPECT}; with any other the object has a fault
 * @param deadlineSeconds how long PodDisruptionBudgets may hold up a pod that Nodeward evicts, counted from when the taint was added
 *     or, of a DedicatedNodes, from when they first held up this pod; empty if that is for ever
 */
public record EvictionMode(String name, OptionalLong deadlineSeconds) {
    /** Pods are deleted, whatever their PodDisruptionBudgets say. */
    public static final String DELETE = "Delete";
    /** A pod goes when its PodDisruptionBudget permits it. */
    public static final String RESPECT = "Respect";
    /** How long budgets may hold up a pod without a deadline. */
    public static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);
    /** What holds where a spec says nothing. */
    public static final EvictionMode DEFAULT = new EvictionMode(DELETE, OptionalLong.empty());

    /** Reads the fields of a spec; what is missing or of another type is as in {@link #DEFAULT}. */
    public static EvictionMode of(Tree spec) {
        String name = spec.at("eviction").string();
        return new EvictionMode(name.isEmpty() ? DELETE : name, spec.at("deadlineSeconds").integer());
    }

    /** Returns whether PodDisruptionBudgets may hold up a pod. */
    public boolean respectsBudgets() {
        return name.equals(RESPECT);
    }

    /**
     * Returns how long PodDisruptionBudgets may still hold up a pod; if that is not positive, it is deleted whatever they say.
     *
     * @param since when the deadline began
     */
    public Duration patience(Instant since, Instant now) {
        return patience(Duration.between(since, now));
    }

    /** Returns how long they may hold it up after they have done so for this long. */
    public Duration patience(Duration held) {
        return !respectsBudgets() ? Duration.ZERO
                : deadlineSeconds.isEmpty() ? FOR_EVER : Duration.ofSeconds(deadlineSeconds.getAsLong()).minus(held);
    }
}
