package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import java.nio.charset.StandardCharsets;

/**
 * The {@code data} of a taint, which belongs to the owner of its key: it is shown, and no decision depends on it.
 *
 * @param text the first {@link #KEPT} characters of its JSON; empty if it has none
 * @param bytes how long the whole JSON is
 */
public record TaintData(String text, int bytes) {
    /** The most characters that are kept: a user may write 10 KiB for each of 32 taints. */
    public static final int KEPT = 256;
    public static final TaintData NONE = new TaintData("", 0);

    static TaintData of(Tree data) {
        if (data instanceof Tree.Absent) {
            return NONE;
        }
        String text = Trees.text(data);
        int end = Math.min(KEPT, text.length());
        int whole = end < text.length() && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
        return new TaintData(text.substring(0, whole), text.getBytes(StandardCharsets.UTF_8).length);
    }

    /** Returns the text for people, with an ellipsis if it is cut. */
    public String shown() {
        return bytes > text.getBytes(StandardCharsets.UTF_8).length ? text + "..." : text;
    }
}
