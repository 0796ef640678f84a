package io.nodeward.core.rules.selector;

/** A text is no label selector; the message is the API server's. */
public final class SelectorException extends RuntimeException {
    SelectorException(String message) {
        super(message);
    }
}
