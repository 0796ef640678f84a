package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.RuleTaint;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A taint as it is typed: {@code KEY[=VALUE]:EFFECT}; one to be removed may have a '-' at its end.
 *
 * @param effect empty for any, of one that is to be removed
 */
public record TaintWord(String key, String value, String effect) {
    private static final Pattern ADDED = Pattern.compile("([^=:]+)(?:=([^=:]*))?:([^=:]+)");
    private static final Pattern REMOVED = Pattern.compile("([^=:]+)(?:=([^=:]*))?(?::([^=:]+))?");

    /** A name of a device or rule has neither of them. */
    public static boolean isTaint(String word) {
        return word.indexOf(':') >= 0 || word.indexOf('=') >= 0 || word.endsWith("-");
    }

    /** @throws IllegalArgumentException if it is none, with kubectl's words */
    public static TaintWord added(String word) {
        if (word.endsWith("-")) {
            throw new IllegalArgumentException("'nodeward device untaint " + word + "' removes a taint");
        }
        return of(ADDED, word);
    }

    /** @throws IllegalArgumentException if it is none, with kubectl's words */
    public static TaintWord removed(String word) {
        return of(REMOVED, word.endsWith("-") ? word.substring(0, word.length() - 1) : word);
    }

    private static TaintWord of(Pattern pattern, String word) {
        Matcher parts = pattern.matcher(word);
        if (!parts.matches()) {
            throw new IllegalArgumentException("invalid taint spec: " + word);
        }
        return new TaintWord(parts.group(1), parts.group(2) == null ? "" : parts.group(2),
                parts.group(3) == null ? "" : parts.group(3));
    }

    boolean matches(RuleTaint taint) {
        return key.equals(taint.key()) && (value.isEmpty() || value.equals(taint.value()))
                && (effect.isEmpty() || effect.equals(taint.effect()));
    }

    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("key", key);
        if (!value.isEmpty()) {
            json.put("value", value);
        }
        return json.put("effect", effect);
    }

    /** As it is typed. */
    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + (effect.isEmpty() ? "" : ":" + effect);
    }
}
