package io.nodeward.api.node;

/**
 * A taint as it stands on a Node. Key and effect are its identity; the API server refuses two of the same.
 *
 * @param value empty if absent
 * @param effect as the server sent it, known or not
 * @param json the whole element, compact: what is not ours is written back from here, so that fields this version does
 *     not know survive
 */
public record Taint(String key, String value, String effect, String json) {
    /**
     * A new taint.
     *
     * @throws IllegalArgumentException if a text would need escaping in JSON; no Node accepts such a taint
     */
    public static Taint of(String key, String value, String effect) {
        StringBuilder json = new StringBuilder(48 + key.length() + value.length());
        json.append("{\"key\":\"").append(plain(key));
        if (!value.isEmpty()) {
            json.append("\",\"value\":\"").append(plain(value));
        }
        json.append("\",\"effect\":\"").append(plain(effect)).append("\"}");
        return new Taint(key, value, effect, json.toString());
    }

    public TaintId id() {
        return new TaintId(key, effect);
    }

    private static String plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c == '"' || c == '\\') {
                throw new IllegalArgumentException("not a taint's text: " + text);
            }
        }
        return text;
    }
}
