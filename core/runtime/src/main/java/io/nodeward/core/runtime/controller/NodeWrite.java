package io.nodeward.core.runtime.controller;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.util.LinkedHashMap;
import java.util.Map;

/** A change of a Node, in whichever cluster. */
public sealed interface NodeWrite extends ObjectChange permits NodeUpdate, HomeNodeUpdate {
    /** What the change was planned from. */
    Node before();

    NodeChange change();

    @Override
    default boolean isEmpty() {
        return change().isEmpty();
    }

    @Override
    default String kind() {
        return "Node";
    }

    @Override
    default String name() {
        return before().key().toString();
    }

    @Override
    default Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("taints", change().taints().isPresent());
        fields.put("labels", change().labels().keySet());
        fields.put("annotations", change().annotations().keySet());
        return fields;
    }

    @Override
    default Blocked refused(ApiFailure failure) {
        return Blocked.refused(before(), failure);
    }
}
