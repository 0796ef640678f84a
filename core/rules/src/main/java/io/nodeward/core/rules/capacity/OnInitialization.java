package io.nodeward.core.rules.capacity;

import java.util.Arrays;
import java.util.Optional;

/**
 * What is advertised of taints that are set once and removed by whatever makes the Node ready. In the
 * autoscaler's simulation no taint ever goes: one that is advertised keeps a group at zero for pods that do not tolerate it.
 */
public enum OnInitialization {
    /** All it needs to know of a Node that has just joined. */
    INCLUDE("include"),
    /** Nothing. */
    EXCLUDE("exclude"),
    /**
     * Under a key that it takes for that of a startup taint and leaves out of its simulation by itself, so that who
     * reads the annotation sees them.
     */
    STARTUP("startup");

    private final String text;

    OnInitialization(String text) {
        this.text = text;
    }

    /** The word for it in flags. */
    public String text() {
        return text;
    }

    /** The one with this word; empty if there is none. */
    public static Optional<OnInitialization> of(String text) {
        return Arrays.stream(values()).filter(one -> one.text.equals(text)).findFirst();
    }
}
