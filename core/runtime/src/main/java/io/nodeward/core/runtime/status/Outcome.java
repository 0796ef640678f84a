package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What comes of the work on a key, for the status of its target. */
public sealed interface Outcome {
    /**
     * Something must happen first, and an event will tell. Whether anything is wrong is not known.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements Outcome {}

    /** What a plan left out or repaired, for Events; what comes of the plan follows. */
    record Planned(List<Finding> findings) implements Outcome {}

    /** Something keeps the object from being as declared. */
    sealed interface NotInEffect extends Outcome {
        Blocked by();
    }

    /**
     * Nothing can be done until somebody fixes something.
     *
     * @param event whether an Event reports it at once
     */
    record Stuck(Blocked by, boolean event) implements NotInEffect {}

    /**
     * The change was not written.
     *
     * @param certain whether the same change would not be written again either; else an Event reports it only if it lasts
     */
    record NotWritten(Blocked by, boolean certain) implements NotInEffect {}

    /** The change is not written yet, because somebody keeps undoing it. */
    record HeldBack(Blocked by) implements NotInEffect {}

    /** The change was not written for a reason that has nothing to do with it. */
    record Failed() implements Outcome {}

    /** The change is written, or there is none, but somebody has kept undoing it: it may not last. */
    record Restless() implements Outcome {}

    /**
     * All is done that can be.
     *
     * @param findings of what is in effect
     */
    record InEffect(List<Finding> findings, Optional<Awaited> awaited) implements Outcome {}

    /**
     * The target is to show what is known of all its members.
     *
     * @param members all there are
     */
    record Summary(Set<String> members) implements Outcome {}
}
