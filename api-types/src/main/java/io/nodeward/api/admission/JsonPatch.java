package io.nodeward.api.admission;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A JSON patch (RFC 6902). Paths are lists of names and indexes, unescaped; {@code -} is the end of a list. */
public record JsonPatch(List<Operation> operations) {
    public static final JsonPatch EMPTY = new JsonPatch(List.of());

    /**
     * One step.
     *
     * @param path as a JSON pointer
     * @param value not sent with a {@code remove}
     */
    public record Operation(String op, String path, Tree value) {
        /** Adds a field, or an element of a list; a field that is there is replaced. */
        public static Operation add(List<String> path, Tree value) {
            return of("add", path, value);
        }

        private static Operation of(String op, List<String> path, Tree value) {
            StringBuilder pointer = new StringBuilder();
            path.forEach(step -> pointer.append('/').append(step.replace("~", "~0").replace("/", "~1")));
            return new Operation(op, pointer.toString(), value);
        }
    }

    public JsonPatch {
        operations = List.copyOf(operations);
    }

    /** As {@link Operation#add}; who adds many collects them. */
    public JsonPatch add(List<String> path, Tree value) {
        return with("add", path, value);
    }

    public JsonPatch replace(List<String> path, Tree value) {
        return with("replace", path, value);
    }

    public JsonPatch remove(List<String> path) {
        return with("remove", path, Tree.ABSENT);
    }

    /** The steps after it are made only if this value is there. */
    public JsonPatch test(List<String> path, Tree value) {
        return with("test", path, value);
    }

    private JsonPatch with(String op, List<String> path, Tree value) {
        List<Operation> all = new ArrayList<>(operations);
        all.add(Operation.of(op, path, value));
        return new JsonPatch(all);
    }

    /** The array that is sent. */
    public Tree tree() {
        return new Tree.Items(operations.stream().map(JsonPatch::tree).toList());
    }

    private static Tree tree(Operation operation) {
        Map<String, Tree> fields = new TreeMap<>(Map.of(
                "op", new Tree.Text(operation.op), "path", new Tree.Text(operation.path)));
        if (!operation.op.equals("remove")) {
            fields.put("value", operation.value);
        }
        return new Tree.Fields(fields);
    }
}
