package io.nodeward.core.runtime.cache;

import java.io.IOException;
import java.time.Duration;

/** A stream was cut because nothing came. */
final class SilentException extends IOException {
    private static final long serialVersionUID = 1L;

    SilentException(Duration silence) {
        super("no byte for " + silence.toMillis() + " ms");
    }
}
