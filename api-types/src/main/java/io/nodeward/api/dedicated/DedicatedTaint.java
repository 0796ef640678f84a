package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The taint of a group's Nodes.
 *
 * @param value empty if it has none
 * @param effects as declared; one that this version does not know is left out
 */
public record DedicatedTaint(String key, String value, List<DedicatedEffect> effects) {
    public DedicatedTaint {
        effects = List.copyOf(effects);
    }

    static DedicatedTaint of(Tree taint) {
        List<DedicatedEffect> effects = taint.at("effects").elements().stream()
                .map(Tree::string)
                .map(DedicatedEffect::of)
                .flatMap(Optional::stream)
                .toList();
        return new DedicatedTaint(taint.at("key").string(), taint.at("value").string(), effects);
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "key", Tree.of(key),
                "value", Tree.of(value),
                "effects", Tree.of(effects.stream().map(DedicatedEffect::name).toList())));
    }

    /** The effects that Nodes get, each once. */
    public SortedSet<String> effectsOnNode() {
        SortedSet<String> all = new TreeSet<>();
        effects.forEach(effect -> all.addAll(effect.onNode()));
        return all;
    }
}
