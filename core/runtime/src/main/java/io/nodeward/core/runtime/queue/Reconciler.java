package io.nodeward.core.runtime.queue;

import io.nodeward.api.meta.ObjectKey;

/** Brings what one key stands for to where it should be. Called for one key at a time, for many keys at once. */
@FunctionalInterface
public interface Reconciler {
    /** May throw {@link io.nodeward.core.spi.ApiFailure}: its kind decides when the key is tried again. */
    Outcome reconcile(ObjectKey key);
}
