package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.meta.Status;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Why nothing can be done for an object until somebody puts something right.
 *
 * @param reason one UpperCamelCase word, the same in Events and conditions; cut as the message is
 * @param message what is wrong and where; never a credential. Cut to 1024 characters, without those that YAML has not
 *     or that turn the direction of writing; a line feed stays
 */
public record Blocked(String reason, String message) {
    private static final int LONGEST = 1024;

    /** One of Nodeward itself. */
    public Blocked(Reason reason, String message) {
        this(reason.text(), message);
    }

    public Blocked {
        reason = bounded(reason);
        message = bounded(message);
    }

    public boolean is(Reason other) {
        return reason.equals(other.text());
    }

    private static String bounded(String text) {
        // Two chars become one at most.
        String first = text.length() > 2 * LONGEST ? text.substring(0, 2 * LONGEST) : text;
        // What is applied is read as YAML, which has no place for the rest; a pair that is cut in two is none either.
        String plain = first.replaceAll(
                "[^\\n\\x20-\\x7e\\u00a0-\\u200d\\u2010-\\u2027\\u202f-\\u2065\\u206a-\\ud7ff\\ue000-\\ufffd]", "?");
        return plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
    }

    /** What blocks an object of which this was left out. */
    static Optional<Blocked> byLeftOut(List<Finding> findings) {
        List<Finding> left = findings.stream().filter(Finding::leftOut).toList();
        String message = left.stream().map(Finding::message).collect(Collectors.joining("; "));
        return left.stream().findFirst().map(first -> new Blocked(first.reason(), message));
    }

    /** @param what was refused, as the beginning of a sentence that ends with "refused" and why */
    public static Blocked refused(Reason reason, String what, ApiFailure failure) {
        return refused(reason.text(), what, failure);
    }

    /** As above. */
    public static Blocked refused(String reason, String what, ApiFailure failure) {
        Status status = failure.status();
        // Without a reason it is no API server's answer, and nobody's business what else is found at that address.
        String why = status.reason().isEmpty() ? "answer " + status.code() : status.message();
        return new Blocked(reason, what + " refused: " + why);
    }
}
