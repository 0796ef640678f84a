package io.nodeward.api.admission;

import java.util.List;
import java.util.Map;

/** A value of an object as it arrived, of whatever type: a rule has to be able to say that it is of another. */
public sealed interface Tree {
    record Fields(Map<String, Tree> fields) implements Tree {}

    record Items(List<Tree> items) implements Tree {}

    record Text(String text) implements Tree {}

    /** @param word for the type in JSON: {@code number} or {@code boolean} */
    record Other(String word) implements Tree {}

    /** Missing or null, which an API server does not tell apart. */
    record Absent() implements Tree {}

    Tree ABSENT = new Absent();

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

    /** The text of a string; empty of anything else. */
    default String string() {
        return this instanceof Text(String text) ? text : "";
    }
}
