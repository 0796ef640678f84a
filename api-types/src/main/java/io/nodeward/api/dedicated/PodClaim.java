package io.nodeward.api.dedicated;

import io.nodeward.api.meta.ObjectKey;

/**
 * Devices that a pod claims.
 *
 * @param template whether {@code key} is that of a ResourceClaimTemplate; else it is that of a ResourceClaim
 */
public record PodClaim(boolean template, ObjectKey key) {
    /** Stands for the claims of a pod of which nobody knows the names. No object has this key. */
    public static PodClaim any(String namespace) {
        return new PodClaim(false, new ObjectKey(namespace, ""));
    }

    /** Returns the kind and the key, for messages. */
    @Override
    public String toString() {
        return (template ? "ResourceClaimTemplate " : "ResourceClaim ") + key;
    }
}
