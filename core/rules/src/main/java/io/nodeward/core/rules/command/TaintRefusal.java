package io.nodeward.core.rules.command;

import java.util.LinkedHashSet;
import java.util.List;

/** A command, or its effect on one Node, is refused, in kubectl's words. Nothing was changed by what is refused. */
public final class TaintRefusal extends RuntimeException {
    private final transient Reason reason;
    private final transient List<String> faults;
    private final transient boolean whole;

    /** @param whole whether the text is the whole line, else "error: " comes before it */
    private TaintRefusal(Reason reason, List<String> faults, boolean whole) {
        super(line(faults, whole));
        this.reason = reason;
        this.faults = List.copyOf(faults);
        this.whole = whole;
    }

    /** The class of a refusal; {@link #text()} is the name that the conformance vectors use. */
    public enum Reason {
        UNUSABLE_FLAG("flag-error"),
        UNKNOWN_DRY_RUN("invalid-dry-run"),
        UNKNOWN_VALIDATION("invalid-validate"),
        RESOURCE_AFTER_TAINT("resource-after-taint"),
        NO_RESOURCE("no-resource-given"),
        NO_TAINT("no-taint-given"),
        UNREADABLE_TAINT("invalid-spec"),
        UNKNOWN_EFFECT("invalid-effect"),
        REPEATED_TAINT("duplicate-taint"),
        UNKNOWN_TYPE("unknown-resource-type"),
        NOT_A_NODE("invalid-resource-type"),
        ADDED_AND_REMOVED("add-and-remove-same"),
        ALL_WITH_SELECTOR("all-with-selector"),
        NO_NAME("no-name-given"),
        UNREADABLE_NAME("invalid-name"),
        UNREADABLE_SELECTOR("invalid-selector"),
        NO_SUCH_NODE("not-found"),
        ALREADY_THERE("exists-without-overwrite"),
        NO_SUCH_TAINT("taint-not-found"),
        UNKNOWN_OUTPUT("invalid-output");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    static TaintRefusal of(Reason reason, String fault) {
        return new TaintRefusal(reason, List.of(fault), false);
    }

    static TaintRefusal ofAll(Reason reason, List<String> faults) {
        return new TaintRefusal(reason, faults, false);
    }

    /** @param line all that is printed, without "error: " */
    static TaintRefusal ofLine(Reason reason, String line) {
        return new TaintRefusal(reason, List.of(line), true);
    }

    public Reason reason() {
        return reason;
    }

    /** What is wrong, without any "error: " before it. */
    public List<String> faults() {
        return faults;
    }

    /** What kubectl prints if this is all that went wrong; several lines for several faults. */
    public String line() {
        return line(faults, whole);
    }

    /** What kubectl prints if something else went wrong too, always one line. */
    public String lineAmongOthers() {
        LinkedHashSet<String> different = new LinkedHashSet<>(faults);
        String joined = String.join(", ", different);
        return different.size() == 1 ? joined : "[" + joined + "]";
    }

    private static String line(List<String> faults, boolean whole) {
        String joined = String.join("\n", faults);
        return whole || faults.size() > 1 ? joined : "error: " + joined;
    }
}
