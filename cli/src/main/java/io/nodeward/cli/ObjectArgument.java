package io.nodeward.cli;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An object that a user names, as kubectl takes it: {@code node/NAME} or {@code node NAME}, with its short names.
 *
 * @param kind in one word, whichever was typed
 * @param name of a device with that of its Node or pool before it
 */
record ObjectArgument(String kind, String name) {
    private static final String DEVICE = "device";

    /**
     * Of what was typed.
     *
     * @param allowed kinds that the command knows
     * @throws IllegalArgumentException saying what to type instead
     */
    static ObjectArgument of(List<String> words, List<String> allowed) {
        String text = String.join("/", words);
        int slash = text.indexOf('/');
        String kind = slash < 0 ? "" : kind(text.substring(0, slash).toLowerCase(Locale.ROOT));
        String name = text.substring(slash + 1);
        if (!allowed.contains(kind) || name.isEmpty() || name.contains("/") != kind.equals(DEVICE)) {
            throw new IllegalArgumentException("'" + String.join(" ", words) + "' is not "
                    + allowed.stream().map(ObjectArgument::form).collect(Collectors.joining(" or ")));
        }
        return new ObjectArgument(kind, name);
    }

    private static String form(String kind) {
        return kind.equals(DEVICE) ? "device NODE/NAME" : kind + "/NAME";
    }

    private static String kind(String word) {
        return switch (word) {
            case "node", "nodes", "no" -> "node";
            case "pod", "pods", "po" -> "pod";
            case "cluster", "clusters", "cl", "clusters.cluster.x-k8s.io" -> "cluster";
            case DEVICE, "devices" -> DEVICE;
            default -> "";
        };
    }
}
