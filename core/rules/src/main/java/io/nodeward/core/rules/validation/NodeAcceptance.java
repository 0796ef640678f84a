package io.nodeward.core.rules.validation;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * What the API server takes as a taint on a Node. It is narrower than the schema of a declared taint in some places and
 * wider in one: keys of up to 317 characters are fine. Nothing here builds an object for a text that is fine.
 */
public final class NodeAcceptance {
    static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    static final int MAX_NAME = 63;
    static final int MAX_DOMAIN = 253;

    private NodeAcceptance() {}

    /**
     * What no Node accepts of a declared taint; empty if a Node would take it.
     *
     * @param path of the item, for example {@code spec.taints[0]}
     */
    public static List<Violation> violations(String path, MachineTaint taint) {
        List<Violation> violations = new ArrayList<>(0);
        if (!isQualifiedName(taint.key())) {
            violations.add(new Violation(path + ".key", Reason.KEY_PATTERN,
                    "no Node accepts it: not a name of at most 63 characters with an optional DNS domain before it"));
        }
        if (!isLabelValue(taint.value())) {
            violations.add(new Violation(path + ".value", Reason.VALUE_PATTERN,
                    "no Node accepts it: not a label value of at most 63 characters"));
        }
        if (!isEffect(taint.effect())) {
            violations.add(new Violation(path + ".effect", Reason.EFFECT_ENUM,
                    "no Node accepts it: not NoSchedule, PreferNoSchedule or NoExecute"));
        }
        return violations;
    }

    public static boolean isEffect(String effect) {
        return EFFECTS.contains(effect);
    }

    /** Whether this is a key of a label, an annotation or a taint: a name, or a DNS domain, a slash and a name. */
    public static boolean isQualifiedName(String key) {
        int slash = key.indexOf('/');
        return isName(key, slash + 1) && (slash < 0 || isDomain(key, slash));
    }

    /** Whether this is a value of a label or a taint; the empty text is. */
    public static boolean isLabelValue(String value) {
        return value.isEmpty() || isName(value, 0);
    }

    private static boolean isName(String text, int from) {
        return text.length() - from <= MAX_NAME && hasNameForm(text, from);
    }

    private static boolean isDomain(String text, int end) {
        return end <= MAX_DOMAIN && hasDomainForm(text, end);
    }

    /** Whether the text from there on is a name, but for its length. */
    static boolean hasNameForm(String text, int from) {
        if (text.length() == from) {
            return false;
        }
        if (!isAlphanumeric(text.charAt(from)) || !isAlphanumeric(text.charAt(text.length() - 1))) {
            return false;
        }
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!isAlphanumeric(c) && c != '-' && c != '_' && c != '.') {
                return false;
            }
        }
        return true;
    }

    /** Whether the text up to there is a DNS domain, but for its length. */
    static boolean hasDomainForm(String text, int end) {
        char before = '.';
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (!isLower(c) && c != '-' && c != '.') {
                return false;
            }
            if (c == '.' && !isLower(before) || c == '-' && before == '.') {
                return false;
            }
            before = c;
        }
        return isLower(before);
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z' || c >= '0' && c <= '9';
    }

    private static boolean isAlphanumeric(char c) {
        return isLower(c) || c >= 'A' && c <= 'Z';
    }
}
