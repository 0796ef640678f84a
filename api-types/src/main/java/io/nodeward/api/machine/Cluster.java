package io.nodeward.api.machine;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;

/**
 * A Cluster API Cluster, from v1beta2 or v1beta1.
 *
 * @param paused {@code spec.paused}; the pause annotation is on {@link #metadata()}
 */
public record Cluster(Metadata metadata, boolean paused) implements KubernetesObject {
    @Override
    public Cluster withResourceVersion(String resourceVersion) {
        return new Cluster(metadata.withResourceVersion(resourceVersion), paused);
    }
}
