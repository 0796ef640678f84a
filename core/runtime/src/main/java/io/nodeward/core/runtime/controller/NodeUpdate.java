package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A change of a Node in a workload cluster.
 *
 * @param cluster key of the Cluster in the management cluster
 * @param before what the change was planned from
 */
public record NodeUpdate(ObjectKey cluster, Node before, NodeChange change) implements ObjectChange {
    @Override
    public boolean isEmpty() {
        return change.isEmpty();
    }

    @Override
    public String kind() {
        return "Node";
    }

    @Override
    public String name() {
        return before.key().toString();
    }

    @Override
    public Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("taints", change.taints().isPresent());
        fields.put("labels", change.labels().keySet());
        fields.put("annotations", change.annotations().keySet());
        return fields;
    }

    @Override
    public Blocked refused(ApiFailure failure) {
        return Blocked.refused(before, failure);
    }
}
