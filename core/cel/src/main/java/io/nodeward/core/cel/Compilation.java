package io.nodeward.core.cel;

import java.util.Optional;

/** An expression that can be asked, or why it cannot. */
public sealed interface Compilation {
    /** Why it can be asked of no device, if it cannot. */
    default Optional<String> error() {
        return this instanceof CompileError error ? Optional.of(error.toString()) : Optional.empty();
    }

    /** It can be asked of devices. */
    record Compiled(DeviceSelector selector) implements Compilation {}

    /**
     * It can be asked of no device.
     *
     * @param line from 1, or 0 if the fault has no place
     * @param column from 1, or 0 if the fault has no place
     * @param message of the first fault
     */
    record CompileError(int line, int column, String message) implements Compilation {
        /** The place, if there is one, and the message. */
        @Override
        public String toString() {
            return line == 0 ? message : line + ":" + column + ": " + message;
        }
    }
}
