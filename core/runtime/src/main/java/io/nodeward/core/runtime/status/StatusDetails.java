package io.nodeward.core.runtime.status;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Reason;
import java.util.Map;
import java.util.TreeMap;

/**
 * What an object's status is to show besides the condition Ready: of its {@link StatusParts} these, and no others.
 *
 * @param fields by name
 * @param conditions by type
 */
public record StatusDetails(Map<String, Tree> fields, Map<String, Text> conditions) {
    public static final StatusDetails NONE = new StatusDetails(Map.of(), Map.of());

    /**
     * What a condition says, cut as {@link Blocked} is.
     *
     * @param status as those of {@link io.nodeward.api.meta.Condition}
     */
    public record Text(String status, Blocked why) {}

    public StatusDetails {
        fields = Map.copyOf(fields);
        conditions = Map.copyOf(conditions);
    }

    /** @param value texts, integers, booleans, and lists and maps of them; a list has a bound */
    public StatusDetails withField(String name, Object value) {
        Map<String, Tree> more = new TreeMap<>(fields);
        more.put(name, Tree.of(value));
        return new StatusDetails(more, conditions);
    }

    /** A condition of the object's generation. */
    public StatusDetails withCondition(String type, String status, Reason reason, String message) {
        return withCondition(type, new Text(status, new Blocked(reason, message)));
    }

    /** As above. */
    public StatusDetails withCondition(String type, Text text) {
        Map<String, Text> more = new TreeMap<>(conditions);
        more.put(type, text);
        return new StatusDetails(fields, more);
    }
}
