package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.MachineTaint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the autoscaler makes of the annotations, written from the description of their format and sharing nothing with
 * the code under test: at most one colon, before which there is at most one equals sign; key and value as Kubernetes
 * wants them, any effect; what is not so is skipped.
 */
final class AutoscalerReader {
    private static final String NAME = "[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?";
    private static final String PART = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
    private static final Pattern KEY = Pattern.compile("(?:(" + PART + "(?:\\." + PART + ")*)/)?" + NAME);
    private static final Pattern VALUE = Pattern.compile("(?:" + NAME + ")?");
    private static final Pattern ENTRY = Pattern.compile("([^:=]*)(?:=([^:=]*))?:([^:]*)");

    private AutoscalerReader() {}

    /** A taint as it is in the simulation. */
    record Seen(String key, String value, String effect) {
        @Override
        public String toString() {
            return key + "=" + value + ":" + effect;
        }
    }

    /** By an autoscaler up to 1.35: the annotation alone, and every entry counts. */
    static List<Seen> upTo135(String text) {
        List<Seen> seen = new ArrayList<>();
        for (String piece : (text == null ? "" : text).split(",", -1)) {
            Seen taint = taint(piece);
            if (taint != null) {
                seen.add(taint);
            }
        }
        return seen;
    }

    /** From 1.36 on: the spec too, in which an entry of the annotation replaces what has its key and effect. */
    static List<Seen> from136(List<MachineTaint> spec, String text) {
        Map<String, Seen> seen = new LinkedHashMap<>();
        spec.forEach(t -> seen.put(t.key() + ":" + t.effect(), new Seen(t.key(), t.value(), t.effect())));
        upTo135(text).forEach(t -> seen.put(t.key() + ":" + t.effect(), t));
        return List.copyOf(seen.values());
    }

    /** Labels, unchecked; of two with one key the later counts. */
    static Map<String, String> labels(String text) {
        Map<String, String> seen = new LinkedHashMap<>();
        for (String piece : (text == null ? "" : text).split(",", -1)) {
            String[] parts = piece.split("=", 2);
            if (parts.length == 2) {
                seen.put(parts[0], parts[1]);
            }
        }
        return seen;
    }

    private static Seen taint(String piece) {
        if (!piece.contains(":")) {
            return isKey(piece) ? new Seen(piece, "", "") : null;
        }
        Matcher parts = ENTRY.matcher(piece);
        if (!parts.matches() || !isKey(parts.group(1))) {
            return null;
        }
        String value = parts.group(2) == null ? "" : parts.group(2);
        return VALUE.matcher(value).matches() ? new Seen(parts.group(1), value, parts.group(3)) : null;
    }

    private static boolean isKey(String text) {
        Matcher key = KEY.matcher(text);
        return key.matches() && (key.group(1) == null || key.group(1).length() <= 253);
    }
}
