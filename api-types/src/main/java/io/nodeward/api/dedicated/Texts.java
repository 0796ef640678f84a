package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Texts out of a tree; what is of another type is left out. */
final class Texts {
    private Texts() {}

    static List<String> list(Tree items) {
        return items.elements().stream()
                .filter(Tree.Text.class::isInstance)
                .map(Tree::string)
                .toList();
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
