package io.nodeward.e2e.handover;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A stranger who edits the taint list of one Node with care: he reads it, adds or removes a taint of his own, and
 * writes the list on the version he read. Refused, he starts again. He remembers what the server acknowledged.
 */
final class ForeignWriter {
    static final String DOMAIN = "foreign.example.com/";

    private static final int CONFLICT = 409;
    /** From here on one goes before one comes. Nodes of real size: a long list would measure the server's JSON. */
    private static final int MOST_STANDING = 5;

    private final AdminClient admin;
    private final String path;
    private final int number;
    private final Map<String, JsonNode> standing = new LinkedHashMap<>();
    private int acknowledged;
    private int conflicts;

    ForeignWriter(AdminClient admin, String node, int number) {
        this.admin = admin;
        this.path = Fleet.nodePath(node);
        this.number = number;
    }

    /** Returns when so many more edits have been acknowledged. */
    void edit(int times) {
        for (int i = 0; i < times; i++) {
            if (standing.size() == MOST_STANDING) {
                remove(standing.keySet().iterator().next());
            } else {
                add(taint(acknowledged));
            }
            acknowledged++;
        }
    }

    int acknowledged() {
        return acknowledged;
    }

    int conflicts() {
        return conflicts;
    }

    /** The taints that must be on the Node now. */
    Iterable<JsonNode> standing() {
        return standing.values();
    }

    private JsonNode taint(int edit) {
        Map<String, String> taint = new LinkedHashMap<>();
        taint.put("key", DOMAIN + "writer-" + number + "-" + edit);
        taint.put("value", "v" + edit);
        taint.put("effect", edit % 2 == 0 ? "NoSchedule" : "NoExecute");
        if (edit % 2 != 0) {
            taint.put("timeAdded", "2026-01-02T03:04:05Z");
        }
        return Json.tree(taint);
    }

    private void add(JsonNode taint) {
        write(taints -> taints.add(taint));
        standing.put(taint.path("key").asText(), taint);
    }

    private void remove(String key) {
        write(taints -> taints.removeIf(taint -> taint.path("key").asText().equals(key)));
        standing.remove(key);
    }

    private interface Edit {
        boolean changes(List<JsonNode> taints);
    }

    private void write(Edit edit) {
        while (true) {
            JsonNode node = admin.get(path);
            List<JsonNode> taints = new ArrayList<>(node.path("spec").path("taints").valueStream().toList());
            if (!edit.changes(taints)) {
                throw new AssertionError("an acknowledged taint of writer " + number + " is not there: " + standing);
            }
            AdminClient.Reply reply = admin.send("PATCH", path, AdminClient.MERGE_PATCH, Json.tree(Map.of(
                    "metadata", Map.of("resourceVersion", node.path("metadata").path("resourceVersion").asText()),
                    "spec", Map.of("taints", taints))).toString());
            if (reply.isOk()) {
                return;
            }
            if (reply.code() != CONFLICT) {
                throw new AssertionError("writer " + number + " was answered with " + reply);
            }
            conflicts++;
        }
    }
}
