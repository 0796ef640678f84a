package io.nodeward.core.rules.dedicated;

/**
 * What is done to pods.
 *
 * @param admission whether they are looked at when they are created
 * @param tolerations whether those that exist are given the tolerations of their groups, before their Nodes get a taint
 * @param evictions whether strangers are evicted as their PodDisruptionBudgets permit, before their Nodes get {@code NoExecute}
 */
public record PodFeatures(boolean admission, boolean tolerations, boolean evictions) {
    public static final PodFeatures NONE = new PodFeatures(false, false);

    /** Without evictions. */
    public PodFeatures(boolean admission, boolean tolerations) {
        this(admission, tolerations, false);
    }

    /** Whether any are given anything. */
    public boolean any() {
        return admission || tolerations;
    }
}
