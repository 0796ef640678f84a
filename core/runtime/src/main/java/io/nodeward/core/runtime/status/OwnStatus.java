package io.nodeward.core.runtime.status;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The part of an object's status that one controller keeps.
 *
 * @param conditions by type
 * @param fields by name, without conditions
 */
record OwnStatus(SortedMap<String, Condition> conditions, SortedMap<String, Tree> fields) {
    static final OwnStatus NONE = new OwnStatus(Collections.emptySortedMap(), Collections.emptySortedMap());

    /**
     * What an object shows.
     *
     * @param type of the condition that is kept besides the parts
     */
    static OwnStatus of(Target target, String type, StatusParts parts) {
        SortedMap<String, Condition> conditions = new TreeMap<>();
        target.conditions().stream()
                .filter(condition -> condition.type().equals(type) || parts.conditions().contains(condition.type()))
                .forEach(condition -> conditions.put(condition.type(), condition));
        SortedMap<String, Tree> fields = new TreeMap<>();
        parts.fields().forEach(name -> fields.put(name, target.status().at(name)));
        return new OwnStatus(conditions, present(fields));
    }

    private static SortedMap<String, Tree> present(SortedMap<String, Tree> fields) {
        fields.values().removeIf(Tree.ABSENT::equals);
        return fields;
    }

    Optional<Condition> condition(String type) {
        return Optional.ofNullable(conditions.get(type));
    }

    OwnStatus with(Condition other) {
        SortedMap<String, Condition> others = new TreeMap<>(conditions);
        others.put(other.type(), other);
        return new OwnStatus(others, fields);
    }

    /** Of the condition {@code kept} and these details, of which those that say what this says are as old as here. */
    OwnStatus with(Condition kept, StatusDetails details, Instant now) {
        SortedMap<String, Condition> others = new TreeMap<>(Map.of(kept.type(), kept));
        details.conditions().forEach((type, text) -> {
            Instant since = condition(type).filter(before -> before.status().equals(text.status()))
                    .map(Condition::since).orElse(now);
            others.put(type, new Condition(type, text.status(), text.why().reason(), text.why().message(), since,
                    kept.observedGeneration()));
        });
        return new OwnStatus(others, present(new TreeMap<>(details.fields())));
    }

    /** Whether this differs from another in no more than what can wait. */
    boolean canWait(OwnStatus other, String type, StatusParts parts) {
        return condition(type).equals(other.condition(type))
                && states(parts).equals(other.states(parts));
    }

    private SortedMap<String, Condition> states(StatusParts parts) {
        SortedMap<String, Condition> states = new TreeMap<>(conditions);
        states.keySet().removeAll(parts.waiting());
        states.replaceAll((type, condition) -> new Condition(type, condition.status(), condition.reason(), "",
                condition.since(), condition.observedGeneration()));
        return states;
    }
}
