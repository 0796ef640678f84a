package io.nodeward.core.rules.validation;

import io.nodeward.api.meta.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries of one of a Node's tracking annotations that nobody can use. Whoever may write the annotation chooses how many
 * there are and how long, so a few are named by their beginning and the rest is counted.
 */
public final class UnusableEntries {
    private static final int NAMED = 3;
    private static final int LONGEST_ENTRY = 100;

    private final String node;
    private final String annotation;
    private final List<String> named = new ArrayList<>(0);
    private int more;

    public UnusableEntries(String node, String annotation) {
        this.node = node;
        this.annotation = annotation;
    }

    /** An empty entry says nothing and is not counted. */
    public void add(String entry) {
        if (entry.isEmpty()) {
            return;
        }
        if (named.size() < NAMED) {
            named.add(beginning(entry));
        } else {
            more++;
        }
    }

    // Half a pair of surrogates is no text that anybody can write down.
    private static String beginning(String entry) {
        if (entry.length() <= LONGEST_ENTRY) {
            return entry;
        }
        boolean cutsPair = Character.isHighSurrogate(entry.charAt(LONGEST_ENTRY - 1));
        return entry.substring(0, cutsPair ? LONGEST_ENTRY - 1 : LONGEST_ENTRY) + "…";
    }

    /**
     * One Warning for each named entry, and one for the others.
     *
     * @param why what is wrong with each, as the end of a sentence: {@code names no taint that Nodeward manages}
     */
    public List<Warning> warnings(String why) {
        List<Warning> warnings = new ArrayList<>(named.size() + 1);
        named.forEach(entry -> warnings.add(new Warning(Reason.MALFORMED_TRACKING, "Node " + node + ": entry \"" + entry
                + "\" of annotation " + annotation + ' ' + why + " and is dropped")));
        if (more > 0) {
            warnings.add(new Warning(Reason.MALFORMED_TRACKING, "Node " + node + ": " + more
                    + " more entries of annotation " + annotation + " are dropped for the same reason"));
        }
        return warnings;
    }
}
