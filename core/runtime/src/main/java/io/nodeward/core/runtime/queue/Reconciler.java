package io.nodeward.core.runtime.queue;

/**
 * Brings what one key stands for to where it should be. Called for one key at a time, for many keys at once.
 *
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface Reconciler<K> {
    /** May throw {@link io.nodeward.core.spi.ApiFailure}: its kind decides when the key is tried again. */
    Outcome reconcile(K key);
}
