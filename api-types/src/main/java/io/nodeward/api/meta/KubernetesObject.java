package io.nodeward.api.meta;

import java.util.List;

/** A partial view of an object of the API server. */
public interface KubernetesObject {
    /** A longer list of one object is not read whole. */
    int MOST_ELEMENTS = 100_000;

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

    /** Returns the fields that have more elements than are kept of one object. They are not all known. */
    default List<String> truncatedFields() {
        return List.of();
    }
}
