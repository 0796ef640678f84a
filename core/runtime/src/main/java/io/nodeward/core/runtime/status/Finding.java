package io.nodeward.core.runtime.status;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Something that a plan left out or repaired, for an Event.
 *
 * @param reason one UpperCamelCase word, the same in Events and conditions
 * @param leftOut whether something that is declared is not in effect for it: that blocks the owner
 * @param ofMember whether it is one of the owner's members that something is wrong with, and not what is declared for all
 */
public record Finding(String reason, String message, boolean leftOut, boolean ofMember) {
    /** All messages by reason. */
    static Map<String, String> messages(List<Finding> findings) {
        return findings.stream().collect(Collectors.groupingBy(
                Finding::reason, TreeMap::new, Collectors.mapping(Finding::message, Collectors.joining("; "))));
    }

    /** What blocks an object of which this was left out. */
    static Optional<Blocked> leftOut(List<Finding> findings) {
        List<Finding> left = findings.stream().filter(Finding::leftOut).toList();
        String message = left.stream().map(Finding::message).collect(Collectors.joining("; "));
        return left.stream().findFirst().map(first -> new Blocked(first.reason, message));
    }
}
