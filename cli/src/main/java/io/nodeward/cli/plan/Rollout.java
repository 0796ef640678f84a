package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether an edit of a template replaces Machines. */
final class Rollout {
    /** Fields of a Machine's spec that Cluster API carries to Machines in place. */
    private static final Set<String> IN_PLACE = Set.of("taints", "deletion", "readinessGates", "minReadySeconds",
            "nodeDrainTimeout", "nodeVolumeDetachTimeout", "nodeDeletionTimeout");

    /** Fields that no server fills in. */
    private static final List<String> LEFT_OUT = List.of("version", "failureDomain");

    private Rollout() {}

    /** What the edit does not name stays as it is, as servers fill in a lot; but not of a whole template. */
    static boolean isDue(JsonNode before, JsonNode edited) {
        boolean whole = edited.has("infrastructureRef");
        return whole && LEFT_OUT.stream().anyMatch(field -> before.has(field) && !edited.has(field))
                || edited.properties().stream()
                        .filter(field -> !IN_PLACE.contains(field.getKey()))
                        .anyMatch(field -> differs(before.path(field.getKey()), field.getValue()));
    }

    private static boolean differs(JsonNode before, JsonNode edited) {
        if (!edited.isObject()) {
            return !edited.equals(before);
        }
        for (Map.Entry<String, JsonNode> field : edited.properties()) {
            if (differs(before.path(field.getKey()), field.getValue())) {
                return true;
            }
        }
        return false;
    }
}
