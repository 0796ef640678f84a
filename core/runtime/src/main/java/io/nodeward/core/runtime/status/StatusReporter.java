package io.nodeward.core.runtime.status;

import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports what comes of the work on each key: an Event for what somebody must fix, a condition if it lasts.
 *
 * @param <K> what work is queued by
 */
public interface StatusReporter<K> {
    /**
     * Before the first report.
     *
     * @param listener gets the keys of owners of which there is another {@link Outcome.Summary}; it must not block
     */
    default void whenChanged(Consumer<K> listener) {}

    /**
     * Reports the outcome.
     *
     * @param target the object whose status shows it
     * @return after which time the key is to be looked at again; zero if there is nothing to wait for
     */
    Duration report(K key, Target target, Outcome outcome);

    /** It is not known whether anything is wrong. Should something be, it has not been so before. */
    void unknown(K key);

    /** There is nothing to report of the key any more. */
    void forget(K key);

    /** Whether the last write of the target's status met a conflict: what is reported next is not due to anything else. */
    default boolean isOutdated(Target target) {
        return false;
    }

    /** The pauses after which a refused write is tried again; empty if it waits for a change. */
    default Optional<Backoff> afterRefusal() {
        return Optional.empty();
    }
}
