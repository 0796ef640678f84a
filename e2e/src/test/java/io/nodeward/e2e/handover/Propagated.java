package io.nodeward.e2e.handover;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.util.Map;

/** The part of a Node that a Machine has a say in. */
final class Propagated {
    private Propagated() {}

    /** Taints in their order, labels and annotations. */
    static JsonNode of(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        return Json.tree(Map.of(
                "taints", node.path("spec").path("taints"),
                "labels", metadata.path("labels"),
                "annotations", metadata.path("annotations")));
    }

    /** The same for a Machine of another cluster, whose name is part of the names of its Machines and Nodes. */
    static JsonNode renamed(JsonNode propagated, String cluster, String other) {
        return Json.parse(propagated.toString().replace(cluster, other));
    }
}
