package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.meta.Condition;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.DeclaringObject.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.origin.Source;
import io.nodeward.core.rules.topology.Concerned;
import java.util.List;
import java.util.Optional;

/**
 * Reads from an object, and from its Cluster, why nothing that it declares is carried further down.
 *
 * @param cluster that the objects belong to, if it is known
 */
record Obstacles(Optional<Manifest> cluster) {
    private static final String BLOCKED = Condition.PREFIX + "Blocked";
    private static final String TOPOLOGY_BLOCKED = Condition.PREFIX + "TopologyBlocked";
    private static final List<String> PLACES = List.of("/status/conditions", "/status/v1beta2/conditions");

    /** @param below the object that gets its declarations, if it is known */
    Optional<Obstacle> of(Manifest manifest, Optional<DeclaringObject> below) {
        if (cluster.filter(Obstacles::isPausedWithAll).isPresent()) {
            return Optional.of(new Obstacle(Reason.PAUSED, "the Cluster is paused"));
        }
        if (manifest.isPaused()) {
            return Optional.of(new Obstacle(Reason.PAUSED, manifest.id() + " is paused"));
        }
        for (String place : PLACES) {
            for (JsonNode condition : manifest.json().at(place)) {
                if (isBlocked(condition, below)) {
                    return Optional.of(new Obstacle(Reason.BLOCKED, manifest.id() + " is blocked ("
                            + condition.path("reason").asText() + "): " + condition.path("message").asText()));
                }
            }
        }
        return Optional.empty();
    }

    /** Of its list of taints alone: from pools to Machines nobody carries lists while the Cluster is paused. */
    Optional<Obstacle> ofList(Source source) {
        return cluster.filter(found -> source == Source.MACHINE_POOL && found.isPaused())
                .map(found -> new Obstacle(Reason.PAUSED, found.id() + " is paused"));
    }

    private static boolean isBlocked(JsonNode condition, Optional<DeclaringObject> below) {
        String type = condition.path("type").asText();
        return condition.path("status").asText().equals("True") && (type.equals(BLOCKED) || type
                .equals(TOPOLOGY_BLOCKED) && isAbout(condition.path("message").asText(), below));
    }

    private static boolean isAbout(String message, Optional<DeclaringObject> below) {
        return below.isEmpty()
                || Concerned.of(message).mayHave(below.get().kind(), below.get().key().name());
    }

    /** Whether a Cluster is by its spec, and with it all that belongs to it. */
    private static boolean isPausedWithAll(Manifest cluster) {
        return cluster.json().at("/spec/paused").asBoolean();
    }
}
