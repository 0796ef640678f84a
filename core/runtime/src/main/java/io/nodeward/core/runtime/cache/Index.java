package io.nodeward.core.runtime.cache;

import java.util.function.Function;

/**
 * A way to find objects by something they hold.
 *
 * @param value what an object is found by; empty leaves it out
 */
public record Index<T>(String name, Function<T, String> value) {}
