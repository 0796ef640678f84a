package io.nodeward.core.runtime.status;

import java.util.List;
import java.util.stream.Collectors;

/** Several texts in one message, of which the first few are named and the rest is counted. */
public final class Listed {
    private static final int NAMED = 3;

    private Listed() {}

    /** As {@code a; b; c; and 2 more}; empty of none. */
    public static String of(List<String> texts) {
        String named = texts.stream().limit(NAMED).collect(Collectors.joining("; "));
        return texts.size() > NAMED ? named + "; and " + (texts.size() - NAMED) + " more" : named;
    }
}
