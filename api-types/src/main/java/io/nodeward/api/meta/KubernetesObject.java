package io.nodeward.api.meta;

import java.util.List;

/** A partial view of an object of the API server. */
public interface KubernetesObject {
    /** A longer list of one object is not read whole. */
    int MOST_ELEMENTS = 100_000;
    /** Why a {@link #reduced} object is truncated. */
    String SHORT_OF_MEMORY = " (memory is short)";

    Metadata metadata();

    default ObjectKey key() {
        return metadata().key();
    }

    /** The same view at another resourceVersion: two views are the same state when they are equal but for this. */
    KubernetesObject withResourceVersion(String resourceVersion);

    default boolean sameVersion(KubernetesObject other) {
        return other.metadata().resourceVersion().equals(metadata().resourceVersion());
    }

    /** Whether {@code other} says the same, whatever its resourceVersion: a heartbeat changes nothing else. */
    default boolean sameState(KubernetesObject other) {
        return other.withResourceVersion(metadata().resourceVersion()).equals(this);
    }

    /** Returns about how many bytes of heap the object takes. Texts that objects share count for each of them. */
    default long heapBytes() {
        return metadata().heapBytes();
    }

    /** Returns about how many bytes more of heap are taken if a cache holds the object in the place of another of its account. */
    default long growth(KubernetesObject held) {
        return heapBytes() - held.heapBytes();
    }

    /** Returns the account that its bytes count for when memory is short; empty if they count for none. */
    default String account() {
        return key().namespace();
    }

    /**
     * Returns the object as a cache keeps it when memory is short. Of kinds that a controller can do without it has fewer fields,
     * and {@link #truncatedFields} names what is missing; of all others it is the object itself.
     */
    default KubernetesObject reduced() {
        return this;
    }

    /** Returns the fields that have more elements than are kept of one object. They are not all known. */
    default List<String> truncatedFields() {
        return List.of();
    }
}
