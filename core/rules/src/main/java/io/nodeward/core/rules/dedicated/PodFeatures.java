package io.nodeward.core.rules.dedicated;

/**
 * What is done to pods.
 *
 * @param admission whether they are looked at when they are created
 * @param tolerations whether those that exist are given the tolerations of their groups, before their Nodes get a taint
 */
public record PodFeatures(boolean admission, boolean tolerations) {
    public static final PodFeatures NONE = new PodFeatures(false, false);

    /** Whether anything is done to any. */
    public boolean any() {
        return admission || tolerations;
    }
}
