package io.nodeward.api.core;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.time.Instant;
import java.util.Optional;

/**
 * A coordination.k8s.io/v1 Lease.
 *
 * @param holder empty if nobody holds it
 * @param durationSeconds how long after {@code renewTime} the holder's claim lasts; 0 if unset
 */
public record Lease(Metadata metadata, String holder, int durationSeconds, Optional<Instant> renewTime)
        implements KubernetesObject {
    @Override
    public Lease withResourceVersion(String resourceVersion) {
        return new Lease(metadata.withResourceVersion(resourceVersion), holder, durationSeconds, renewTime);
    }
}
