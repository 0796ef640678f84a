package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The text of an annotation that declares one taint. */
public final class AnnotatedTaint {
    /** As messages have it. */
    public static final String FORM = "key[=value]:Effect or key[=value]:Effect:OnInitialization";

    private AnnotatedTaint() {}

    /** Key, value and effect may be any texts; empty if it is not of this form at all. */
    public static Optional<MachineTaint> parse(String text) {
        String[] parts = text.split(":", -1);
        boolean once = parts.length == 3 && parts[2].equals(MachineTaint.ON_INITIALIZATION);
        if (parts.length != 2 && !once || parts[0].isEmpty() || parts[1].isEmpty()) {
            return Optional.empty();
        }
        int equals = parts[0].indexOf('=');
        String key = equals < 0 ? parts[0] : parts[0].substring(0, equals);
        String value = equals < 0 ? "" : parts[0].substring(equals + 1);
        String propagation = once ? MachineTaint.ON_INITIALIZATION : MachineTaint.ALWAYS;
        return Optional.of(new MachineTaint(key, value, parts[1], propagation));
    }

    /**
     * All faults of one text; empty if it declares a taint that can be carried to a Node.
     *
     * @param path of the annotation
     */
    static List<Violation> violations(String path, String text) {
        Optional<MachineTaint> taint = parse(text);
        if (taint.isEmpty()) {
            return List.of(new Violation(path, Reason.ANNOTATION_FORM, "\"" + text + "\" is not " + FORM));
        }
        List<Violation> violations = new ArrayList<>(0);
        for (Violation fault : NodeAcceptance.violations("", taint.get())) {
            violations.add(new Violation(
                    path, fault.reason(), fault.field().substring(1) + " of \"" + text + "\": " + fault.message()));
        }
        String key = taint.get().key();
        if (key.length() > MachineTaintRules.MAX_KEY) {
            violations.add(new Violation(path, Reason.KEY_MAX_LENGTH,
                    "the key must have at most " + MachineTaintRules.MAX_KEY + " characters"));
        }
        if (MachineTaintRules.isReserved(key)) {
            violations.add(new Violation(path, Reason.RESERVED_KEY, key + " " + MachineTaintRules.IS_RESERVED));
        }
        return violations;
    }
}
