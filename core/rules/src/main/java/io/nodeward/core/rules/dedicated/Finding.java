package io.nodeward.core.rules.dedicated;

/**
 * What a user should know about a group, although it is in force as declared.
 *
 * @param message one sentence for a condition
 */
public record Finding(Reason reason, String message) {
    /** Its name is the type of a condition. */
    public enum Reason {
        /** Nodes are selected by what a kubelet may set itself, so that a stolen kubelet may join the group. */
        SelectorNotTrusted,
        /** Pods are selected by their labels, which anyone who creates a pod chooses. */
        PodSelectorNotTrusted,
        /** Fields are set that nothing acts on yet. */
        FieldsNotInEffect
    }
}
