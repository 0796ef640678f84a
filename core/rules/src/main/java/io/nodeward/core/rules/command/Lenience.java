package io.nodeward.core.rules.command;

/**
 * What is taken that kubectl refuses. With any of it, taints that are there already as they are to be keep their place
 * and their element, so that a command that changes nothing writes nothing.
 *
 * @param ensure whatever is there: given taints may be there with any value, and removed ones be absent
 * @param absent removed taints may be absent
 * @param replaceKey given taints take the place of all that have their keys, whatever their effects
 */
public record Lenience(boolean ensure, boolean absent, boolean replaceKey) {
    /** Kubectl's. */
    public static final Lenience NONE = new Lenience(false, false, false);

    public boolean isNone() {
        return equals(NONE);
    }
}
