package io.nodeward.cli.eval;

/** A case that no rule can be asked about; the message says what is wrong with it. */
final class UnusableCaseException extends RuntimeException {
    UnusableCaseException(String message) {
        super(message);
    }
}
