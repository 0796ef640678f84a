package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Texts out of a tree; what is of another type is left out. */
final class Texts {
    private static final Set<Tree> EMPTY =
            Set.of(new Tree.Items(List.of()), new Tree.Fields(Map.of()), new Tree.Text(""), Tree.ABSENT);

    private Texts() {}

    static List<String> list(Tree items) {
        return items.elements().stream()
                .filter(Tree.Text.class::isInstance)
                .map(Tree::string)
                .toList();
    }

    /** Without those that are empty: a schema may ask for one element at least. */
    static Tree fields(Map<String, Tree> fields) {
        Map<String, Tree> all = new TreeMap<>(fields);
        all.values().removeIf(EMPTY::contains);
        return new Tree.Fields(all);
    }

    static Map<String, String> map(Tree fields) {
        Map<String, String> texts = new TreeMap<>();
        if (fields instanceof Tree.Fields(Map<String, Tree> each)) {
            each.forEach((key, value) -> {
                if (value instanceof Tree.Text(String text)) {
                    texts.put(key, text);
                }
            });
        }
        return texts;
    }
}
