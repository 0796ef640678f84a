package io.nodeward.api.dedicated;

/** What a group does, in the words of Pod Security admission. */
public enum EnforcementMode {
    /** It changes nothing: its status says what it would do. */
    Audit,
    /** Its pods get tolerations, and what would be refused is answered with a warning. No Node is changed. */
    Warn,
    /** Its Nodes get the taint, and what the group forbids is refused. */
    Enforce
}
