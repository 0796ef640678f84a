package io.nodeward.api.core;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.Map;

/** A ConfigMap with its texts. */
public record ConfigMap(Metadata metadata, Map<String, String> data) implements KubernetesObject {
    public ConfigMap {
        data = Map.copyOf(data);
    }

    @Override
    public ConfigMap withResourceVersion(String resourceVersion) {
        return new ConfigMap(metadata.withResourceVersion(resourceVersion), data);
    }
}
