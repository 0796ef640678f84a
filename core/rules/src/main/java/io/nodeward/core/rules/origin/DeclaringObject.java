package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.AnnotatedTaint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One object that declares taints for a Node, itself or through others.
 *
 * @param kind as in the object
 * @param taints at its place for them
 * @param annotations at its place for those that declare taints; others may be among them
 * @param obstacle why nothing of it is carried further down, as that it is paused; empty if nothing is known
 * @param ofList likewise why its list of taints is not, though what it annotates is
 */
public record DeclaringObject(
        Source source,
        String kind,
        ObjectKey key,
        List<MachineTaint> taints,
        Map<String, String> annotations,
        List<ManagedFieldsEntry> writers,
        Optional<Obstacle> obstacle,
        Optional<Obstacle> ofList) {
    public DeclaringObject {
        taints = List.copyOf(taints);
        annotations = Map.copyOf(annotations);
        writers = List.copyOf(writers);
    }

    /** What keeps an object's declarations from being carried on. */
    public record Obstacle(Missing.Reason reason, String message) {}

    /**
     * A taint, and how it is declared.
     *
     * @param annotation that declares it; empty if the list of taints does
     */
    public record Declared(MachineTaint taint, String annotation) {}

    /** Kind, namespace and name. */
    public String name() {
        return kind + " " + key;
    }

    /** All that it declares, by whatever means: first the list, then annotations by name. */
    public List<Declared> declared() {
        List<Declared> all = new ArrayList<>();
        taints.forEach(taint -> all.add(new Declared(taint, "")));
        SortedMap<String, String> sorted = new TreeMap<>(annotations);
        sorted.forEach((name, text) -> {
            if (name.startsWith(TaintAnnotations.PREFIX)) {
                AnnotatedTaint.parse(text).ifPresent(taint -> all.add(new Declared(taint, name)));
            }
        });
        return List.copyOf(all);
    }

    /** The declaration that counts for this key and effect. */
    public Optional<Declared> find(TaintId id) {
        return declared().stream().filter(declared -> declared.taint().id().equals(id)).findFirst();
    }
}
