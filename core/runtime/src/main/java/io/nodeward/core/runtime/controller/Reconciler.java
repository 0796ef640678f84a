package io.nodeward.core.runtime.controller;

/**
 * Decides what one key needs, from what the caches hold. It sends nothing and waits for nothing. Called for one key at a
 * time, for many keys at once.
 *
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface Reconciler<K> {
    Decision reconcile(K key);

    /**
     * The decision has been carried out: a change is in effect. For what no cache holds, such as what the controller itself
     * has written; nothing may be sent from here.
     */
    default void executed(K key, Decision decision) {}

    /** No answer came to the change: it was made, or it was not. Nothing may be sent from here either. */
    default void unanswered(K key, Decision.Change decision) {}
}
