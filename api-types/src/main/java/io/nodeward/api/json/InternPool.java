package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Gives equal texts the same String, as far as it remembers them: labels and taints are the same on thousands of Nodes.
 * Fixed in size, so that texts which come and go for ever cost nothing; a forgotten text is merely held twice.
 */
final class InternPool {
    private static final int SLOTS = 1 << 14;
    /** Longer texts are rarely shared. */
    static final int LONGEST = 256;

    private final AtomicReferenceArray<String> slots = new AtomicReferenceArray<>(SLOTS);

    String intern(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int slot = slot(text.hashCode());
        String known = slots.getPlain(slot);
        if (text.equals(known)) {
            return known;
        }
        slots.setRelease(slot, text);
        return text;
    }

    /** As {@link Json#text}; no String is made of a text that is known. */
    String text(JsonParser p) throws IOException {
        if (!p.hasToken(JsonToken.VALUE_STRING) || p.getTextLength() > LONGEST) {
            return intern(Json.text(p));
        }
        char[] chars = p.getTextCharacters();
        int start = p.getTextOffset();
        int end = start + p.getTextLength();
        int hash = 0; // as String.hashCode() promises it
        for (int i = start; i < end; i++) {
            hash = 31 * hash + chars[i];
        }
        String known = slots.getPlain(slot(hash));
        return known != null && isSame(known, chars, start, end - start) ? known : intern(p.getText());
    }

    private static int slot(int hash) {
        return (hash ^ hash >>> 16) & SLOTS - 1;
    }

    private static boolean isSame(String text, char[] chars, int start, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != chars[start + i]) {
                return false;
            }
        }
        return true;
    }
}
