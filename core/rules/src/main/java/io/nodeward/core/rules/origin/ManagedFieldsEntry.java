package io.nodeward.core.rules.origin;

import io.nodeward.api.node.TaintId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One entry of an object's {@code metadata.managedFields}, as far as taints are concerned.
 *
 * @param time when the manager last changed anything that it owns
 * @param list whether it owns the list of taints as a whole: on a Node, who wrote last owns all of it
 * @param items what it owns of a list that its schema makes a map
 * @param annotations those it owns
 * @param unschedulable whether it owns {@code spec.unschedulable}
 */
public record ManagedFieldsEntry(
        String manager,
        Optional<Instant> time,
        boolean list,
        Set<TaintId> items,
        Set<String> annotations,
        boolean unschedulable) {
    public ManagedFieldsEntry {
        items = Set.copyOf(items);
        annotations = Set.copyOf(annotations);
    }

    /** Each by its name, in their order. */
    static String names(List<ManagedFieldsEntry> writers) {
        return writers.stream().map(ManagedFieldsEntry::manager).distinct().collect(Collectors.joining(" and "));
    }

    /** As the end of a sentence; nothing if there is none. */
    static String by(List<ManagedFieldsEntry> writers) {
        return writers.isEmpty() ? "" : ", by " + names(writers);
    }

    boolean isOf(Actor actor) {
        return Actor.of(manager) == actor;
    }
}
