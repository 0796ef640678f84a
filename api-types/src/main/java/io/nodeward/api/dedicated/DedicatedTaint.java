package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The taint of a group's Nodes.
 *
 * @param value empty if it has none
 * @param effects as declared, without those that this version does not know
 * @param unknownEffects those, which a newer version has stored
 */
public record DedicatedTaint(
        String key, String value, List<DedicatedEffect> effects, List<String> unknownEffects) {
    public DedicatedTaint {
        effects = List.copyOf(effects);
        unknownEffects = List.copyOf(unknownEffects);
    }

    static DedicatedTaint of(Tree taint) {
        List<String> effects = Texts.list(taint.at("effects"));
        return new DedicatedTaint(taint.at("key").string(), taint.at("value").string(),
                effects.stream().map(DedicatedEffect::of).flatMap(Optional::stream).toList(),
                effects.stream().filter(effect -> DedicatedEffect.of(effect).isEmpty()).toList());
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "key", Tree.of(key),
                "value", Tree.of(value),
                "effects", Tree.of(
                        Stream.concat(effects.stream().map(DedicatedEffect::name), unknownEffects.stream()).toList())));
    }

    /** The effects that Nodes get, each once. */
    public SortedSet<String> effectsOnNode() {
        SortedSet<String> all = new TreeSet<>();
        effects.forEach(effect -> all.addAll(effect.onNode()));
        return all;
    }
}
