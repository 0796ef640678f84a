package io.nodeward.cli.eval;

/** A case that no rule can be asked about; the message says what is wrong with it. */
final class UnusableCaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableCaseException(String message) {
        super(message);
    }
}
