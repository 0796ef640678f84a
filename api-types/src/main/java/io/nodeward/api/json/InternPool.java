package io.nodeward.api.json;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Gives equal texts the same String, as far as it remembers them: labels and taints are the same on thousands of Nodes.
 * Fixed in size, so that texts which come and go for ever cost nothing; a forgotten text is merely held twice.
 */
final class InternPool {
    private static final int SLOTS = 1 << 14;
    /** Longer texts are rarely shared. */
    private static final int LONGEST = 256;

    private final AtomicReferenceArray<String> slots = new AtomicReferenceArray<>(SLOTS);

    String intern(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int slot = (hash ^ hash >>> 16) & SLOTS - 1;
        String known = slots.getPlain(slot);
        if (text.equals(known)) {
            return known;
        }
        slots.setRelease(slot, text);
        return text;
    }
}
