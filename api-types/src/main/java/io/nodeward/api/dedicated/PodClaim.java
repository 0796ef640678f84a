package io.nodeward.api.dedicated;

import io.nodeward.api.meta.ObjectKey;

/**
 * Devices that a pod claims.
 *
 * @param template whether {@code key} is that of a ResourceClaimTemplate; else it is that of a ResourceClaim
 */
public record PodClaim(boolean template, ObjectKey key) {}
