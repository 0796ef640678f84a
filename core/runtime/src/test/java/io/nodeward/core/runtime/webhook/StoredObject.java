package io.nodeward.core.runtime.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A cluster-scoped object with all that a server has of it. */
record StoredObject(ObjectNode json) implements KubernetesObject {
    @Override
    public Metadata metadata() {
        JsonNode metadata = json.path("metadata");
        Map<String, String> labels = new TreeMap<>();
        metadata.path("labels").properties().forEach(label -> labels.put(label.getKey(), label.getValue().asText()));
        return new Metadata(ObjectKey.clusterScoped(metadata.path("name").asText()), metadata.path("uid").asText(),
                metadata.path("resourceVersion").asText(), labels, Map.of(), List.of(), false);
    }

    @Override
    public StoredObject withResourceVersion(String resourceVersion) {
        ObjectNode copy = json.deepCopy();
        copy.withObject("metadata").put("resourceVersion", resourceVersion);
        return new StoredObject(copy);
    }

    /** Somebody changes what a policy or a binding does. */
    StoredObject edited() {
        ObjectNode copy = json.deepCopy();
        copy.withObject("spec").put(copy.at("/spec/policyName").isMissingNode() ? "failurePolicy" : "policyName", "");
        return new StoredObject(copy);
    }

    StoredObject withoutLabels() {
        ObjectNode copy = json.deepCopy();
        copy.withObject("metadata").remove("labels");
        return new StoredObject(copy);
    }

    /** What counts of it. */
    String text() {
        return json.at("/metadata/labels") + " " + json.path("spec");
    }
}
