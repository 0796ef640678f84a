package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reports what comes of the work on each key: an Event for what somebody must fix, a condition if it lasts. Where a
 * method returns a duration, the key is to be looked at again after it; zero if there is nothing to wait for.
 *
 * @param <K> what work is queued by
 */
public interface StatusReporter<K> {
    /**
     * Before the first report.
     *
     * @param listener gets the keys of owners that there is something else to {@link #summarize} of; it must not block
     */
    default void whenChanged(Consumer<K> listener) {}

    /** There is nothing to report of the key any more. */
    void forget(K key);

    /** It is not known whether anything is wrong. Should something be, it has not been so before. */
    void unknown(K key);

    /**
     * Something must happen first, and an event will tell. Whether anything is wrong is not known.
     *
     * @param reason what is waited for
     */
    default Duration waiting(K key, Target owner, String reason) {
        unknown(key);
        return Duration.ZERO;
    }

    /**
     * Nothing can be done until somebody fixes something.
     *
     * @param event whether an Event reports it at once
     */
    Duration blocked(K key, Target owner, Blocked by, boolean event);

    /** What a plan left out or repaired, for Events. */
    void planned(K key, Target owner, List<Finding> findings);

    /** The last change was made, or there is none: whatever kept it from being written is over. */
    void written(K key);

    /**
     * The change was not written.
     *
     * @param certain whether the same change would not be written again either; else an Event reports it only if it lasts
     * @return zero also if a condition reports it already
     */
    Duration notWritten(K key, Target owner, Blocked by, boolean certain);

    /**
     * The change is not written yet, because somebody keeps undoing it.
     *
     * @return how long until a condition reports it; zero if there is nothing to wait for
     */
    Duration heldBack(K key, Target owner, Blocked by);

    /** The pauses after which a refused write is tried again; empty if it waits for a change. */
    default Optional<Backoff> afterRefusal() {
        return Optional.empty();
    }

    /** The change was not written for a reason that has nothing to do with it. */
    void failed(K key);

    /**
     * All is done that can be.
     *
     * @param findings of what is in effect
     */
    Duration inEffect(K key, Target owner, List<Finding> findings, Optional<Awaited> awaited);

    /**
     * Reports what is known of all members of an owner.
     *
     * @param members all there are
     */
    Duration summarize(K key, Target owner, Set<String> members);
}
