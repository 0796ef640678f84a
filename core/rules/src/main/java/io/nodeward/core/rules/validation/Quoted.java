package io.nodeward.core.rules.validation;

/** Texts in quotes, as Kubernetes and its tools print what somebody typed. */
public final class Quoted {
    private static final String ESCAPED = "\u0007\b\t\n\u000b\f\r\"\\";
    private static final String LETTERS = "abtnvfr\"\\";

    private Quoted() {}

    /** The text in double quotes, with escapes for what cannot be seen. */
    public static String of(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> append(quoted, c));
        return quoted.append('"').toString();
    }

    private static void append(StringBuilder quoted, int c) {
        int escape = ESCAPED.indexOf(c);
        if (escape >= 0) {
            quoted.append('\\').append(LETTERS.charAt(escape));
        } else if (isVisible(c)) {
            quoted.appendCodePoint(c);
        } else if (c < 0x80) {
            quoted.append(String.format("\\x%02x", c));
        } else {
            quoted.append(String.format(Character.isBmpCodePoint(c) ? "\\u%04x" : "\\U%08x", c));
        }
    }

    private static boolean isVisible(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> c == ' ';
            default -> true;
        };
    }
}
