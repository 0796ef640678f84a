package io.nodeward.api.core;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;

/**
 * A Secret as the kubeconfig of a workload cluster. Its text never shows in {@link #toString()}.
 *
 * @param type the Secret's type
 * @param value data key {@code value}, decoded; empty if absent
 */
public record KubeconfigSecret(Metadata metadata, String type, String value) implements KubernetesObject {
    @Override
    public KubeconfigSecret withResourceVersion(String resourceVersion) {
        return new KubeconfigSecret(metadata.withResourceVersion(resourceVersion), type, value);
    }

    @Override
    public String toString() {
        return "KubeconfigSecret[" + key() + "]";
    }
}
