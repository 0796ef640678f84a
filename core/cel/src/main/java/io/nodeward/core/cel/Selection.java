package io.nodeward.core.cel;

/** What an expression says of a device. An error is no answer: neither that the device is selected nor that it is not. */
public sealed interface Selection {
    /** The device is selected. */
    record Selected() implements Selection {}

    /** The device is not selected. */
    record NotSelected() implements Selection {}

    /** The question has no answer. */
    record EvaluationError(String message) implements Selection {}
}
