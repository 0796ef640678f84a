package io.nodeward.core.rules.validation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Whether an object may be stored.
 *
 * @param refused why not; empty if it may
 * @param warnings for who writes it, in any case
 */
public record Verdict(List<Violation> refused, List<String> warnings) {
    public static final Verdict ALLOWED = new Verdict(List.of(), List.of());

    public Verdict {
        refused = List.copyOf(refused);
        warnings = List.copyOf(warnings);
    }

    public boolean isAllowed() {
        return refused.isEmpty();
    }

    /** All reasons in one line, each with its field; empty if the object may be stored. */
    public String message() {
        return refused.stream().map(Verdict::text).collect(Collectors.joining("; "));
    }

    static String text(Violation violation) {
        return violation.field() + ": " + violation.message();
    }
}
