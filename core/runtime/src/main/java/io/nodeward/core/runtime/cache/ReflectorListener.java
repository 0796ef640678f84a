package io.nodeward.core.runtime.cache;

import io.nodeward.core.spi.ApiFailure;

/** Told how a reflector gets on, on its own thread: it must not block. */
public interface ReflectorListener {
    ReflectorListener NONE = new ReflectorListener() {
    };

    /** It will try again by itself. */
    default void failed(ApiFailure failure) {}

    /** A watch stands, and the cache is what the server had when it began. */
    default void following() {}
}
