package io.nodeward.core.runtime.cache;

import java.util.List;
import java.util.function.Function;

/**
 * A way to find objects by something they hold.
 *
 * @param name by which a cache knows it
 * @param values what an object is found by; none leaves it out
 */
public record Index<T>(String name, Function<T, List<String>> values) {
    /** By one value; empty leaves the object out. */
    public static <T> Index<T> of(String name, Function<T, String> value) {
        return new Index<>(name, object -> {
            String text = value.apply(object);
            return text.isEmpty() ? List.of() : List.of(text);
        });
    }
}
