package io.nodeward.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An object that a user names, as kubectl takes it: {@code node/NAME} or {@code node NAME}, with its short names.
 *
 * @param kind in the one word of {@link #KINDS}
 */
record ObjectArgument(String kind, String name) {
    private static final Map<String, String> KINDS = Map.of(
            "node", "node", "nodes", "node", "no", "node",
            "pod", "pod", "pods", "pod", "po", "pod",
            "cluster", "cluster", "clusters", "cluster", "cl", "cluster",
            "clusters.cluster.x-k8s.io", "cluster");

    /**
     * Of what was typed.
     *
     * @param allowed kinds that the command knows
     * @throws IllegalArgumentException saying what to type instead
     */
    static ObjectArgument of(List<String> words, List<String> allowed) {
        String text = String.join("/", words);
        int slash = text.indexOf('/');
        String kind = slash < 0 ? "" : KINDS.getOrDefault(text.substring(0, slash).toLowerCase(Locale.ROOT), "");
        String name = text.substring(slash + 1);
        if (!allowed.contains(kind) || name.isEmpty() || name.contains("/")) {
            throw new IllegalArgumentException("'" + String.join(" ", words) + "' is not "
                    + String.join("/NAME or ", allowed) + "/NAME");
        }
        return new ObjectArgument(kind, name);
    }
}
