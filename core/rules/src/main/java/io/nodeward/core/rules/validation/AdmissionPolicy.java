package io.nodeward.core.rules.validation;

/**
 * How objects that declare taints are judged before they are stored.
 *
 * @param propagates the gate MachineTaintPropagation; while off, nothing may be declared anew
 * @param enforcement of what is declared
 * @param gate of declaring anything while the gate is off. Where a webhook of Cluster API validates the kind, its own
 *     gate decides, and blocking here would be in the way of who has that on
 */
public record AdmissionPolicy(boolean propagates, Enforcement enforcement, Enforcement gate) {
    /** For what a controller copies: a fault is a warning at most, and the gate applies to the writer of the template. */
    AdmissionPolicy ofCopies() {
        return new AdmissionPolicy(true, enforcement == Enforcement.Off ? Enforcement.Off : Enforcement.Warn, gate);
    }
}
