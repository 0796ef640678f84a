package io.nodeward.core.runtime.queue;

import java.time.Duration;

/** What a reconciler says when it is through with a key. */
public sealed interface Outcome {
    /** Nothing more to do until something changes. */
    record Done() implements Outcome {}

    /**
     * Something must happen first, and an event will tell.
     *
     * @param reason what is waited for, for logs
     */
    record WaitingFor(String reason) implements Outcome {}

    /**
     * To be tried again although nothing may change.
     *
     * @param reason what is waited out, for logs
     */
    record Again(Duration after, String reason) implements Outcome {}

    Outcome DONE = new Done();

    static Outcome waitingFor(String reason) {
        return new WaitingFor(reason);
    }
}
