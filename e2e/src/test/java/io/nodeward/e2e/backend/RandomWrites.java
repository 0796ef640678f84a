package io.nodeward.e2e.backend;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.spi.Patch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
    private final AppliedKind kind;

    RandomWrites(long seed, AppliedKind kind) {
        this.random = new Random(seed);
        this.kind = kind;
    }

    Write next(String name) {
        boolean status = random.nextBoolean();
        String manager = "m" + random.nextInt(3);
        if (random.nextInt(4) == 0) {
            return new Write(status, Patch.merge(bytes(withRemovals(parts())), manager));
        }
        ObjectNode object = parts().put("apiVersion", kind.resource.apiVersion()).put("kind", kind.kind);
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
        switch (kind) {
            case NODE -> node(spec, status);
            case MACHINE -> machine(spec, status);
            case MACHINE_DEPLOYMENT, MACHINE_POOL -> template(spec, status);
            case CLUSTER -> cluster(spec, status);
        }
        parts.properties().removeIf(field -> field.getValue().isEmpty());
        return parts;
    }

    private void node(ObjectNode spec, ObjectNode status) {
        maybe(spec, "taints", list(some("t", "u").stream().map(key -> taint(key, false)).toList()));
        maybe(status, "addresses", list(some("InternalIP", "Hostname").stream().map(this::address).toList()));
        maybe(status, "allocatable", map("cpu", "pods"));
        maybe(status, "volumesInUse", list(some("v", "w").stream().map(v -> node(v)).toList()));
    }

    private void machine(ObjectNode spec, ObjectNode status) {
        propagated(spec);
        maybe(status, "nodeRef", object().put("name", either("n", "o")));
    }

    private void template(ObjectNode spec, ObjectNode status) {
        if (random.nextInt(4) > 0) {
            ObjectNode template = spec.withObject("template");
            template.set("metadata", object().set("labels", map("a", "b", "c")));
            propagated(template.withObject("spec"));
        }
        maybe(spec, "replicas", IntNode.valueOf(random.nextInt(2)));
        maybe(status, "replicas", IntNode.valueOf(random.nextInt(2)));
    }

    private void cluster(ObjectNode spec, ObjectNode status) {
        maybe(spec, "paused", BooleanNode.valueOf(random.nextBoolean()));
        if (random.nextInt(4) > 0) {
            ObjectNode controlPlane = spec.withObject("topology").withObject("controlPlane");
            controlPlane.set("metadata", object().set("labels", map("a", "b")));
            propagated(controlPlane);
        }
        List<ObjectNode> groups = some("base", "one", "two").stream().map(this::group).toList();
        if (!groups.isEmpty()) {
            spec.withObject("topology").withObject("workers").set("machineDeployments", list(groups));
        }
        maybe(status, "observedGeneration", IntNode.valueOf(1 + random.nextInt(2)));
    }

    private ObjectNode group(String name) {
        ObjectNode group = object().put("class", "w").put("name", name);
        maybe(group, "metadata", object().set("labels", map("a", "b")));
        propagated(group);
        return group;
    }

    /** Sometimes taints that say when they are propagated; a schema wants at least one. */
    private void propagated(ObjectNode parent) {
        ArrayNode taints = list(some("t", "u", "v").stream().map(key -> taint(key, true)).toList());
        if (!taints.isEmpty()) {
            maybe(parent, "taints", taints);
        }
    }

    private ObjectNode withRemovals(ObjectNode patch) {
        if (random.nextInt(3) == 0) {
            patch.withObject("metadata").withObject("labels").putNull(either("a", "b"));
        }
        if (random.nextInt(8) == 0) {
            patch.withObject("metadata").putNull("finalizers");
        }
        if (random.nextInt(8) == 0) {
            tainted(patch.withObject("spec")).putNull("taints");
        }
        return patch;
    }

    private ObjectNode tainted(ObjectNode spec) {
        return switch (kind) {
            case NODE, MACHINE -> spec;
            case MACHINE_DEPLOYMENT, MACHINE_POOL -> spec.withObject("template").withObject("spec");
            case CLUSTER -> spec.withObject("topology").withObject("controlPlane");
        };
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
        return kind == AppliedKind.NODE ? condition.put("lastHeartbeatTime", TIME) : condition;
    }

    private ObjectNode address(String type) {
        return object().put("type", type).put("address", either("1.1.1.1", "2.2.2.2"));
    }

    // Only of Machines does FakeApiServer know that a taint without propagation, which quarrels leave behind, is refused.
    private ObjectNode taint(String key, boolean propagated) {
        ObjectNode taint = object().put("key", key).put("effect", "NoSchedule");
        String when = kind == AppliedKind.MACHINE ? either("Always", "OnInitialization") : "Always";
        return propagated ? taint.put("propagation", when) : taint;
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
