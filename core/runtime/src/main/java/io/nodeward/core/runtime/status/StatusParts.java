package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import java.time.Duration;
import java.util.Set;

/**
 * What the status of a kind of our own has besides the condition Ready.
 *
 * @param fields of the status, such as counts, which are exact: the CRD sets no defaults in them
 * @param conditions types of further conditions
 * @param pause between two writes that change no more than fields and messages of further conditions
 */
public record StatusParts(Set<String> fields, Set<String> conditions, Duration pause) {
    public static final StatusParts NONE = new StatusParts(Set.of(), Set.of(), Duration.ZERO);

    public StatusParts {
        fields = Set.copyOf(fields);
        conditions = Set.copyOf(conditions);
        if (fields.contains("conditions") || conditions.contains(Condition.READY)) {
            throw new IllegalArgumentException("conditions and " + Condition.READY + " are the kit's");
        }
    }

    void check(StatusDetails details) {
        if (!fields.containsAll(details.fields().keySet())
                || !conditions.containsAll(details.conditions().keySet())) {
            throw new IllegalArgumentException(details + " has more than " + this);
        }
    }
}
