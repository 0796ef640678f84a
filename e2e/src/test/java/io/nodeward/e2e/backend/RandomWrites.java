package io.nodeward.e2e.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.spi.Patch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Requests that quarrel about the same few fields: the same seed makes the same ones. */
final class RandomWrites {
    private static final String TIME = "2026-01-02T03:04:05Z";

    /** A patch to an object or its status. */
    record Write(boolean status, Patch patch) {
        @Override
        public String toString() {
            return (status ? "status " : "") + patch.contentType() + " by " + patch.fieldManager()
                    + (patch.force() ? " by force " : " ") + new String(patch.body(), StandardCharsets.UTF_8);
        }
    }

    private final Random random;
    private final String apiVersion;
    private final String kind;

    RandomWrites(long seed, String apiVersion, String kind) {
        this.random = new Random(seed);
        this.apiVersion = apiVersion;
        this.kind = kind;
    }

    Write next(String name) {
        boolean status = random.nextBoolean();
        String manager = "m" + random.nextInt(3);
        if (random.nextInt(4) == 0) {
            return new Write(status, Patch.merge(bytes(withRemovals(parts())), manager));
        }
        ObjectNode object = parts().put("apiVersion", apiVersion).put("kind", kind);
        object.withObject("metadata").put("name", name);
        return new Write(status, Patch.apply(bytes(object), manager, random.nextInt(3) == 0));
    }

    private ObjectNode parts() {
        ObjectNode parts = object();
        ObjectNode metadata = parts.withObject("metadata");
        maybe(metadata, "labels", map("a", "b", "c"));
        maybe(metadata, "annotations", map("x", "y"));
        maybe(metadata, "finalizers", list(some("f.test/p", "f.test/q").stream().map(f -> node(f)).toList()));
        maybe(metadata, "ownerReferences", list(some("1", "2").stream().map(RandomWrites::owner).toList()));
        ObjectNode spec = parts.withObject("spec");
        ObjectNode status = parts.withObject("status");
        maybe(status, "conditions", list(some("A", "B", "C", "D").stream().map(this::condition).toList()));
        if (kind.equals("Node")) {
            maybe(spec, "taints", list(some("t", "u").stream().map(key -> taint(key, false)).toList()));
            maybe(status, "addresses", list(some("InternalIP", "Hostname").stream().map(this::address).toList()));
            maybe(status, "allocatable", map("cpu", "pods"));
            maybe(status, "volumesInUse", list(some("v", "w").stream().map(v -> node(v)).toList()));
        } else {
            ArrayNode taints = list(some("t", "u", "v").stream().map(key -> taint(key, true)).toList());
            if (!taints.isEmpty()) {
                maybe(spec, "taints", taints);
            }
            maybe(status, "nodeRef", object().put("name", either("n", "o")));
        }
        parts.properties().removeIf(field -> field.getValue().isEmpty());
        return parts;
    }

    private ObjectNode withRemovals(ObjectNode patch) {
        if (random.nextInt(3) == 0) {
            patch.withObject("metadata").withObject("labels").putNull(either("a", "b"));
        }
        for (Map.Entry<String, String> list : Map.of("finalizers", "metadata", "taints", "spec").entrySet()) {
            if (random.nextInt(8) == 0) {
                patch.withObject(list.getValue()).putNull(list.getKey());
            }
        }
        return patch;
    }

    private void maybe(ObjectNode parent, String field, JsonNode value) {
        if (random.nextInt(5) < 2) {
            parent.set(field, value);
        }
    }

    private String either(String one, String other) {
        return random.nextBoolean() ? one : other;
    }

    private List<String> some(String... all) {
        List<String> some = new ArrayList<>(List.of(all));
        Collections.shuffle(some, random);
        return some.subList(0, random.nextInt(some.size() + 1));
    }

    private ObjectNode map(String... keys) {
        ObjectNode map = object();
        some(keys).forEach(key -> map.put(key, either("1", "2")));
        return map;
    }

    private ObjectNode condition(String type) {
        ObjectNode condition = object().put("type", type).put("status", either("True", "False"));
        condition.put("reason", either("R", "S")).put("message", "m").put("lastTransitionTime", TIME);
        return kind.equals("Node") ? condition.put("lastHeartbeatTime", TIME) : condition;
    }

    private ObjectNode address(String type) {
        return object().put("type", type).put("address", either("1.1.1.1", "2.2.2.2"));
    }

    private ObjectNode taint(String key, boolean ofMachine) {
        ObjectNode taint = object().put("key", key).put("effect", "NoSchedule");
        return ofMachine ? taint.put("propagation", either("Always", "OnInitialization")) : taint;
    }

    private static ObjectNode owner(String uid) {
        return object().put("apiVersion", "v1").put("kind", "Node").put("name", "n" + uid).put("uid", uid);
    }

    private static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static JsonNode node(String text) {
        return JsonNodeFactory.instance.textNode(text);
    }

    private static ArrayNode list(List<? extends JsonNode> items) {
        return JsonNodeFactory.instance.arrayNode().addAll(items);
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }
}
