package io.nodeward.core.cel;

import java.util.ArrayList;
import java.util.List;

/** Texts taken apart and put together as the Go implementation of the language does it; a negative limit is none. */
final class TextParts {
    private TextParts() {}

    /** Into so many parts at most, the last of which is the rest; by an empty separator, into characters. */
    static List<String> split(String text, String separator, long limit) {
        List<String> parts = new ArrayList<>();
        if (limit == 0 || text.isEmpty() && separator.isEmpty()) {
            return parts;
        }
        int from = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int to = separator.isEmpty() ? next(text, from) : text.indexOf(separator, from);
            if (to < 0 || separator.isEmpty() && to == text.length()) {
                break;
            }
            parts.add(text.substring(from, to));
            from = to + separator.length();
        }
        parts.add(text.substring(from));
        return parts;
    }

    /** So often at most; an empty text is found before each character, and at the end. */
    static String replace(String text, String old, String now, long limit) {
        StringBuilder replaced = new StringBuilder();
        int from = 0;
        for (long done = 0; limit < 0 || done < limit; done++) {
            int found = old.isEmpty() ? done == 0 ? 0 : next(text, from) : text.indexOf(old, from);
            if (found < 0) {
                break;
            }
            replaced.append(text, from, found).append(now);
            from = found + old.length();
        }
        return replaced.append(text, from, text.length()).toString();
    }

    static String join(List<?> parts, String separator) {
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            if (!(parts.get(i) instanceof String part)) {
                throw new IllegalArgumentException("no such overload");
            }
            joined.append(i == 0 ? "" : separator).append(part);
        }
        return joined.toString();
    }

    /** Where the character after this one begins, or the text ends; -1 at the end. */
    private static int next(String text, int from) {
        return from == text.length() ? -1 : text.offsetByCodePoints(from, 1);
    }
}
