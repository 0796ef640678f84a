package io.nodeward.api.dedicated;

/** What becomes of the quota of a group's namespaces. */
public enum QuotaMode {
    /** Nothing. */
    None,
    /** The status compares it with what the group's Nodes have. */
    Audit
}
