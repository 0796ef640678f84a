package io.nodeward.cli.explain;

import java.io.IOException;

/** An object that was named is not there. */
public final class NoSuchObjectException extends IOException {
    public NoSuchObjectException(String message) {
        super(message);
    }
}
