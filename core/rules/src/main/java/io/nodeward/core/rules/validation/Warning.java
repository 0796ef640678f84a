package io.nodeward.core.rules.validation;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import java.util.EnumSet;
import java.util.Set;

/**
 * Something a plan had to leave out or correct. It never stops the rest of the plan.
 *
 * @param message one sentence that names what is wrong; equal faults give equal texts, so it may be reported once
 */
public record Warning(Reason reason, String message) {
    /** All that is declared reaches the Node all the same. */
    private static final Set<Reason> NOTHING_LEFT_OUT = EnumSet.of(Reason.MALFORMED_TRACKING, Reason.LIFECYCLE_TAINT,
            Reason.CAPACITY_OVERRIDE, Reason.DUPLICATE_CAPACITY);

    /** As the status of the owner shows it: a tracking annotation is the Node's, all else is declared for each of them. */
    public Finding finding() {
        return new Finding(reason.text(), message, leavesOut(reason), reason == Reason.MALFORMED_TRACKING);
    }

    /** Whether something that is declared does not reach the Node for it. */
    public static boolean leavesOut(Reason reason) {
        return !NOTHING_LEFT_OUT.contains(reason);
    }
}
