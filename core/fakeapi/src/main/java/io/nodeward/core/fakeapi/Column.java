package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.function.Function;

/**
 * One column of what {@code kubectl get} prints.
 *
 * @param type {@code string} or {@code integer}
 * @param priority 0 is always shown, more only with {@code -o wide}
 * @param cell of one object; a null node prints nothing
 */
public record Column(String name, String type, int priority, Function<JsonNode, JsonNode> cell) {
    public static Column text(String name, Function<JsonNode, String> cell) {
        return new Column(name, "string", 0, o -> TextNode.valueOf(cell.apply(o)));
    }

    /** Text at a path of field names. */
    public static Column at(String name, String... path) {
        return text(name, o -> Json.text(o, path));
    }

    public static Column count(String name, Function<JsonNode, Integer> cell) {
        return new Column(name, "integer", 0, o -> IntNode.valueOf(cell.apply(o)));
    }

    /** The same column, shown with {@code -o wide} only. */
    public Column wide() {
        return new Column(name, type, 1, cell);
    }
}
