package io.nodeward.api.core;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.Map;

/** A Secret with what is in it; its text never shows that. */
public record SecretData(Metadata metadata, String type, Map<String, byte[]> data) implements KubernetesObject {
    public SecretData {
        data = Map.copyOf(data);
    }

    @Override
    public SecretData withResourceVersion(String resourceVersion) {
        return new SecretData(metadata.withResourceVersion(resourceVersion), type, data);
    }

    @Override
    public String toString() {
        return "SecretData[" + metadata.key() + ", " + type + ", " + data.keySet() + "]";
    }
}
