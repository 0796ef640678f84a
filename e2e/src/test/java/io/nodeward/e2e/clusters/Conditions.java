package io.nodeward.e2e.clusters;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What conditions say on Clusters and Machines, and who wrote them; objects are named by their path. */
final class Conditions {
    private static final String BLOCKED = "nodeward.io/Blocked";

    private final MachineSuite suite;

    Conditions(MachineSuite suite) {
        this.suite = suite;
    }

    /** The condition that says what blocks the object. */
    Optional<JsonNode> blocked(String path) {
        return condition(path, BLOCKED);
    }

    Optional<JsonNode> condition(String path, String type) {
        return suite.admin().get(path).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst();
    }

    /** Waits until the object has the condition Blocked with this reason. */
    JsonNode awaitBlocked(String path, String reason) {
        await(reason + " on " + path).atMost(MachineSuite.PATIENCE)
                .until(() -> blocked(path).filter(c -> c.path("reason").asText().equals(reason)).isPresent());
        return blocked(path).orElseThrow();
    }

    void awaitNotBlocked(String path) {
        await("end of the condition on " + path).atMost(MachineSuite.PATIENCE)
                .until(() -> blocked(path).isEmpty());
    }

    /** A condition that somebody else applies to the object. */
    JsonNode foreign(String path, String type) {
        JsonNode object = suite.admin().get(path);
        JsonNode applied = Json.tree(Map.of(
                "apiVersion", object.path("apiVersion"),
                "kind", object.path("kind"),
                "metadata", Map.of("name", object.path("metadata").path("name")),
                "status", Map.of("conditions", List.of(Map.of(
                        "type", type, "status", "False", "reason", "Foreign", "message", "somebody else's",
                        "lastTransitionTime", "2026-01-02T03:04:05Z")))));
        AdminClient.Reply reply = suite.admin()
                .send("PATCH", path + "/status?fieldManager=somebody-else", AdminClient.APPLY_PATCH,
                        applied.toString());
        if (!reply.isOk()) {
            throw new AssertionError(reply.body().toString());
        }
        return condition(path, type).orElseThrow();
    }

    /** What this manager applied to the object's status, as managedFields say; empty if nothing. */
    Optional<JsonNode> appliedBy(String manager, String path) {
        return suite.admin().get(path).at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("manager").asText().equals(manager)
                        && entry.path("operation").asText().equals("Apply")
                        && entry.path("subresource").asText().equals("status"))
                .map(entry -> entry.path("fieldsV1"))
                .findFirst();
    }

    /** The fields of the one condition and nothing else, as managedFields have them. */
    static JsonNode conditionAlone() {
        Map<String, Object> none = Map.of();
        return Json.tree(Map.of("f:status", Map.of("f:conditions", Map.of(
                "k:{\"type\":\"" + BLOCKED + "\"}",
                Map.of(".", none, "f:type", none, "f:status", none, "f:reason", none, "f:message", none,
                        "f:lastTransitionTime", none)))));
    }

    /** What the controller wrote to the status of this object, when it asks no more. */
    List<AuditRequest> writesSince(AuditLog.Mark mark, String path) {
        return suite.settledSince(mark).stream()
                .filter(r -> r.isWrite() && r.uri().split("\\?")[0].equals(path + "/status"))
                .toList();
    }
}
