package io.nodeward.core.rules.validation;

/**
 * Something a plan had to leave out or correct. It never stops the rest of the plan.
 *
 * @param message one sentence that names what is wrong; equal faults give equal texts, so it may be reported once
 */
public record Warning(Reason reason, String message) {
    /** What a Warning is about; {@link #text()} is meant as the reason of a Kubernetes Event. */
    public enum Reason {
        /** A tracking annotation on the Node held an entry nobody can use. */
        MALFORMED_TRACKING("MalformedTracking", false),
        /** The owner declares a key that belongs to Cluster API itself. */
        RESERVED_TAINT("ReservedTaint", true),
        /** The owner declares a taint no Node accepts. */
        UNUSABLE_TAINT("UnusableTaint", true),
        /** The owner declares a propagation this version does not know. */
        UNKNOWN_PROPAGATION("UnknownPropagation", true),
        /** The owner declares one key and effect more than once. */
        DUPLICATE_TAINT("DuplicateTaint", true),
        /** An annotation that declares a taint is not of the form for that. */
        UNREADABLE_ANNOTATION("UnreadableTaintAnnotation", true),
        /** The owner declares a taint that another controller sets and removes by itself. */
        LIFECYCLE_TAINT("LifecycleTaint", false),
        /** A user wrote what the autoscaler skips, or what no Node can have, into an annotation that it reads. */
        UNREADABLE_CAPACITY("UnreadableCapacityEntry", true),
        /** A user's entry in an annotation for the autoscaler has another value than what is declared. */
        CAPACITY_OVERRIDE("CapacityEntryOverrides", false),
        /** A user wrote two entries for one taint or label; the later one counts. */
        DUPLICATE_CAPACITY("DuplicateCapacityEntry", false),
        /** An autoscaler that reads the spec too still counts on a taint that was to be hidden from it. */
        INITIALIZATION_NOT_HIDDEN("OnInitializationNotHidden", true);

        private final String text;
        private final boolean leftOut;

        Reason(String text, boolean leftOut) {
            this.text = text;
            this.leftOut = leftOut;
        }

        /** Whether something that is declared does not reach the Node for it. */
        public boolean leftOut() {
            return leftOut;
        }

        /** Whether it is the Node that something is wrong with, and not what is declared for all of them. */
        public boolean ofNode() {
            return this == MALFORMED_TRACKING;
        }

        public String text() {
            return text;
        }
    }
}
