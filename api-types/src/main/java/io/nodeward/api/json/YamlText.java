package io.nodeward.api.json;

/**
 * Text as JSON that is read as YAML, as the body of an apply is. YAML has no place for control characters and the like,
 * folds line breaks of any alphabet, and knows no halves of a pair in escapes: these stand as they are.
 */
final class YamlText {
    private YamlText() {}

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (isPlain(c)) {
                quoted.append(c);
            } else {
                quoted.append(String.format("\\u%04x", (int) c));
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean isPlain(char c) {
        boolean control = c < ' ' || c >= '\u007f' && c < '\u00a0';
        boolean lineBreak = c == '\u2028' || c == '\u2029';
        boolean none = c == '\ufeff' || c > '\ufffd';
        return !control && !lineBreak && !none;
    }
}
