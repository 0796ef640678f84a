package io.nodeward.api.admission;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which parts of a value are read; whatever else it holds costs nothing but its bytes.
 *
 * @param whole all of it
 * @param fields otherwise, those of an object that are read, and how; elements of an array are read like the array
 */
public record Shape(boolean whole, Map<String, Shape> fields) {
    public static final Shape WHOLE = new Shape(true, Map.of());

    public Shape {
        fields = Map.copyOf(fields);
    }

    /** @param paths names of fields from the root to each part */
    public static Shape of(Collection<List<String>> paths) {
        Map<String, List<List<String>>> below = new TreeMap<>();
        for (List<String> path : paths) {
            if (path.isEmpty()) {
                return WHOLE;
            }
            below.computeIfAbsent(path.getFirst(), field -> new ArrayList<>()).add(path.subList(1, path.size()));
        }
        Map<String, Shape> fields = new TreeMap<>();
        below.forEach((field, rest) -> fields.put(field, of(rest)));
        return new Shape(false, fields);
    }

    /** How a field is read; empty if it is not. */
    public Optional<Shape> at(String field) {
        return whole ? Optional.of(this) : Optional.ofNullable(fields.get(field));
    }
}
