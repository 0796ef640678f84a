package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import java.time.Duration;
import java.util.Set;

/**
 * What the status of a kind of our own has besides the condition Ready.
 *
 * @param fields of the status, such as counts, which are exact: the CRD sets no defaults in them
 * @param conditions types of further conditions
 * @param pause between two writes that change no more than what can wait: fields and messages of further conditions
 * @param waiting those of the conditions that can wait too when they come, go or change their state. They can if they
 *     follow the cluster, where they may do so at any rate; nobody waits for them as for an answer to the spec
 */
public record StatusParts(Set<String> fields, Set<String> conditions, Duration pause, Set<String> waiting) {
    public static final StatusParts NONE = new StatusParts(Set.of(), Set.of(), Duration.ZERO);

    public StatusParts {
        fields = Set.copyOf(fields);
        conditions = Set.copyOf(conditions);
        waiting = Set.copyOf(waiting);
        if (fields.contains("conditions") || conditions.contains(Condition.READY)) {
            throw new IllegalArgumentException("conditions and " + Condition.READY + " are the kit's");
        }
    }

    /** Of which no condition waits. */
    public StatusParts(Set<String> fields, Set<String> conditions, Duration pause) {
        this(fields, conditions, pause, Set.of());
    }

    void check(StatusDetails details) {
        if (!fields.containsAll(details.fields().keySet())
                || !conditions.containsAll(details.conditions().keySet())) {
            throw new IllegalArgumentException(details + " has more than " + this);
        }
    }
}
