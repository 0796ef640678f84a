package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a kind has beyond the rules all objects share. */
public interface Rules {
    /** No rules of its own. */
    Rules NONE = new Rules() {
    };

    /** Fills in and tidies an object about to be stored, as defaulting does; twice must be as good as once. */
    default void prepare(ObjectNode object) {}

    /** What is wrong with the object; {@code before} is null for a new one. */
    default List<Violation> check(ObjectNode object, @Nullable ObjectNode before) {
        return List.of();
    }

    /** Of a kind whose status has conditions as Cluster API's schema wants them, and nothing else to look at. */
    static Rules conditions() {
        return new StatusRules(NONE);
    }

    /** Whether the schema has validation rules in CEL. A server reports rules that it could not check. */
    default boolean hasExpressions() {
        return false;
    }

    /** Fields that objects of this kind do not have, as far as that is known here; those of metadata are looked at elsewhere. */
    default List<String> unknown(ObjectNode object) {
        return List.of();
    }
}
