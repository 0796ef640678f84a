package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;

/** What a group or a guard does, in the words of Pod Security admission. The comments are about groups. */
public enum EnforcementMode {
    /** It changes nothing: its status says what it would do. */
    Audit,
    /** Its pods get tolerations, and what would be refused is answered with a warning. No Node is changed. */
    Warn,
    /** Its Nodes get the taint, and what the group forbids is refused. */
    Enforce;

    /** Returns the mode in a field of a spec. A text that is no mode gives the one that changes the least. */
    public static EnforcementMode of(Tree field) {
        return switch (field.string()) {
            case "Enforce" -> Enforce;
            case "Warn" -> Warn;
            default -> Audit;
        };
    }
}
