package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.cli.snapshot.OwnerReferences;
import io.nodeward.core.rules.fleet.Pause;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a wait knows of an object between an owner and its Nodes, or of the owner itself.
 *
 * @param name as it is typed
 * @param maker uid of what made it; empty if that is of no kind that declares taints
 * @param cluster name of its Cluster
 * @param group what its topology calls it; empty if no topology made it
 * @param nodes names of its Nodes, as far as they have joined
 * @param obstacle why nothing may be carried to it; empty if that is not seen
 */
record Descendant(String name, String uid, String maker, String cluster, String group, boolean deleting, int replicas,
        Set<String> nodes, String obstacle) {
    private static final String DEPLOYMENT = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL = "topology.cluster.x-k8s.io/pool-name";
    private static final Set<String> BLOCKED =
            Set.of(Condition.PREFIX + "Blocked", Condition.PREFIX + "TopologyBlocked");

    static Descendant of(ObjectNode object) {
        Set<String> nodes = new TreeSet<>();
        nodes.add(object.at("/status/nodeRef/name").asText());
        object.at("/status/nodeRefs").forEach(reference -> nodes.add(reference.path("name").asText()));
        nodes.remove("");
        String name =
                object.path("kind").asText().toLowerCase(Locale.ROOT) + "/" + object.at("/metadata/name").asText();
        JsonNode labels = object.at("/metadata/labels");
        return new Descendant(name, object.at("/metadata/uid").asText(),
                OwnerReferences.maker(object).map(OwnerRef::uid).orElse(""), object.at("/spec/clusterName").asText(),
                labels.has(ClusterApi.TOPOLOGY_OWNED_LABEL)
                        ? labels.path(DEPLOYMENT).asText(labels.path(POOL).asText())
                        : "",
                object.path("metadata").has("deletionTimestamp"), object.at("/spec/replicas").asInt(1), nodes,
                obstacle(object, name));
    }

    /** The Cluster of what declares: how its own declarations fare is nothing to those below it. */
    static Descendant above(ObjectNode cluster) {
        cluster.remove("status");
        return of(cluster);
    }

    private static String obstacle(JsonNode object, String name) {
        if (object.at("/spec/paused").asBoolean()) {
            return name + " is paused (spec.paused)";
        }
        if (Pause.isAnnotated(object.at("/metadata/annotations")::has)) {
            return name + " is paused (annotation " + ClusterApi.PAUSED_ANNOTATION + ")";
        }
        for (String place : List.of("/status/conditions", "/status/v1beta2/conditions")) {
            for (JsonNode condition : object.at(place)) {
                if (isObstacle(condition.path("type").asText(), condition.path("status").asText())) {
                    return name + " is " + condition.path("type").asText() + "=" + condition.path("status").asText()
                            + " (" + condition.path("reason").asText() + "): " + condition.path("message").asText();
                }
            }
        }
        return "";
    }

    private static boolean isObstacle(String type, String status) {
        return BLOCKED.contains(type) && status.equals("True")
                || type.equals("TopologyReconciled") && status.equals("False");
    }
}
