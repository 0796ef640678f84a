package io.nodeward.core.rules.capacity;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the autoscaler in use reads, by its version. */
public enum Autoscaler {
    /** It may be either of the others. What is written serves both. */
    UNKNOWN,
    /** Up to 1.28: the annotation alone, and no startup taints by that name. */
    BEFORE_STARTUP_TAINTS,
    /** 1.29 to 1.35: the annotation alone. */
    READS_ANNOTATION,
    /**
     * From 1.36 on: {@code spec.template.spec.taints} too, of both propagations. What is in the spec is not written, as
     * a copy that is behind would win over it.
     */
    READS_SPEC;

    private static final Pattern VERSION = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(\\..*)?");
    private static final int MAJOR = 1;
    private static final int STARTUP_TAINTS = 29;
    private static final int SPEC = 36;

    /**
     * Of a version such as {@code 1.35} or {@code v1.36.1}; the empty text is unknown.
     *
     * @throws IllegalArgumentException if the text is no version
     */
    public static Autoscaler of(String version) {
        if (version.isEmpty()) {
            return UNKNOWN;
        }
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a version such as 1.35: " + version);
        }
        int major = Integer.parseInt(parts.group(1));
        int minor = Integer.parseInt(parts.group(2));
        if (major > MAJOR || major == MAJOR && minor >= SPEC) {
            return READS_SPEC;
        }
        return major == MAJOR && minor >= STARTUP_TAINTS ? READS_ANNOTATION : BEFORE_STARTUP_TAINTS;
    }

    /** Whether taints of the spec may count without being advertised. */
    boolean mayReadSpec() {
        return this == READS_SPEC || this == UNKNOWN;
    }
}
