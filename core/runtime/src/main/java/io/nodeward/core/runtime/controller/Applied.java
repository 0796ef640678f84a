package io.nodeward.core.runtime.controller;

import io.nodeward.core.spi.ApiFailure;

/** What became of a change that was sent. */
public sealed interface Applied {
    /** The server has made it. */
    record Written() implements Applied {}

    /** A dry run: nothing was sent. */
    record DryRun() implements Applied {}

    /** There is no such object any more, or, of a deletion, it is being deleted already. */
    record Gone() implements Applied {}

    /** The change is to be tried again: a caller that does nothing else about it throws the failure. */
    sealed interface Failed extends Applied {
        ApiFailure failure();
    }

    /** The object is not what the change was planned from. A newer one is in the cache to plan from. */
    record Outdated(ApiFailure failure) implements Failed {}

    /** The server did not say what became of the deletion: no answer came, or a 5xx. It may have made it. */
    record Unanswered(ApiFailure failure) implements Failed {}

    /**
     * The change cannot be made now, and nothing has changed: the object's cluster cannot be written to, or a PodDisruptionBudget does
     * not permit the deletion.
     *
     * @param awaited the event that tells when it can
     */
    record Unavailable(String awaited) implements Applied {}
}
