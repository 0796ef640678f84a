package io.nodeward.api.admission;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A value of an object as it arrived, of whatever type: a rule has to be able to say that it is of another. */
public sealed interface Tree {
    record Fields(Map<String, Tree> fields) implements Tree {}

    record Items(List<Tree> items) implements Tree {}

    record Text(String text) implements Tree {}

    /**
     * A number or a boolean.
     *
     * @param word for the type in JSON: {@code number} or {@code boolean}
     * @param text as in JSON
     */
    record Other(String word, String text) implements Tree {}

    /** Missing or null, which an API server does not tell apart. */
    record Absent() implements Tree {}

    Tree ABSENT = new Absent();

    /**
     * Of maps with texts as keys, lists, texts, integers and booleans.
     *
     * @throws IllegalArgumentException if there is anything else in it
     */
    static Tree of(Object value) {
        return switch (value) {
            case Tree tree -> tree;
            case String text -> new Text(text);
            case Integer number -> new Other("number", number.toString());
            case Long number -> new Other("number", number.toString());
            case Boolean bool -> new Other("boolean", bool.toString());
            case List<?> items -> new Items(items.stream().map(Tree::of).toList());
            case Map<?, ?> map -> {
                Map<String, Tree> fields = new TreeMap<>();
                map.forEach((key, field) -> fields.put(String.valueOf(key), of(field)));
                yield new Fields(fields);
            }
            default -> throw new IllegalArgumentException("no value of JSON: " + value.getClass());
        };
    }

    /**
     * Whether all of {@code wanted} is here: its fields among others, which a server may have set by default, and its
     * lists as they are.
     */
    default boolean has(Tree wanted) {
        return switch (wanted) {
            case Fields(Map<String, Tree> fields) -> this instanceof Fields && fields.entrySet().stream()
                    .allMatch(field -> at(field.getKey()).has(field.getValue()));
            case Items(List<Tree> items) -> {
                List<Tree> own = elements();
                yield this instanceof Items && own.size() == items.size()
                        && IntStream.range(0, own.size()).allMatch(i -> own.get(i).has(items.get(i)));
            }
            default -> equals(wanted);
        };
    }

    /** The type in the words of JSON. */
    default String type() {
        return switch (this) {
            case Fields fields -> "object";
            case Items items -> "array";
            case Text text -> "string";
            case Other other -> other.word;
            case Absent absent -> "null";
        };
    }

    /** The value of a field; absent in anything but an object. */
    default Tree at(String field) {
        return this instanceof Fields(Map<String, Tree> fields) ? fields.getOrDefault(field, ABSENT) : ABSENT;
    }

    default Tree at(List<String> path) {
        Tree at = this;
        for (String field : path) {
            at = at.at(field);
        }
        return at;
    }

    /** The elements of an array; none of anything else. */
    default List<Tree> elements() {
        return this instanceof Items(List<Tree> items) ? items : List.of();
    }

    /** Returns how many values it is: itself, and all that are in it. */
    default int size() {
        return switch (this) {
            case Fields(Map<String, Tree> fields) -> 1 + fields.values().stream().mapToInt(Tree::size).sum();
            case Items(List<Tree> items) -> 1 + items.stream().mapToInt(Tree::size).sum();
            default -> 1;
        };
    }

    /** The value of an integer; empty of anything else, and of one that is too long for a long. */
    default OptionalLong integer() {
        try {
            return this instanceof Other(String word, String text) && word.equals("number")
                    ? OptionalLong.of(Long.parseLong(text))
                    : OptionalLong.empty();
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** The text of a string; empty of anything else. */
    default String string() {
        return this instanceof Text(String text) ? text : "";
    }
}
