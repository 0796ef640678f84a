package io.nodeward.cli.terminal;

import java.util.List;
import java.util.stream.Collectors;

/** Texts of others as they may be shown: nothing in them commands a terminal, or passes for a line of the command. */
public final class Harmless {
    private static final String INSET = "\n  ";

    private Harmless() {}

    /** In one line: what cannot be seen is written out as in JSON. */
    public static String line(String text) {
        if (text.codePoints().noneMatch(Harmless::isUnseen)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isUnseen(c)) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /** In its lines, of which all but the first are set in; without those at its end that say nothing. */
    public static String lines(String text) {
        List<String> lines = text.stripTrailing().lines().toList();
        return lines.size() < 2 ? line(text.stripTrailing())
                : lines.stream().map(Harmless::line).collect(Collectors.joining(INSET));
    }

    private static boolean isUnseen(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || turnsDirection(c);
    }

    /** Makes a text read as another. */
    private static boolean turnsDirection(int c) {
        return c == 0x200e || c == 0x200f || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
    }
}
