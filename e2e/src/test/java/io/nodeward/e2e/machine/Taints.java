package io.nodeward.e2e.machine;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Taints as short texts: {@code key[=value]:Effect} on a Node, {@code key[=value]:Effect:Propagation} on a Machine. */
public final class Taints {
    public static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized:NoSchedule";
    public static final String TRACKING = "cluster.x-k8s.io/taints-from-machine";

    private Taints() {}

    /** Those on the Node, in their order. */
    public static List<String> on(JsonNode node) {
        return node.path("spec").path("taints").valueStream().map(Taints::text).toList();
    }

    /** The tracking annotation; {@code null} if it is not there. */
    public static String tracking(JsonNode node) {
        return node.path("metadata").path("annotations").path(TRACKING).textValue();
    }

    public static MachineSpec declare(MachineSpec machine, String... texts) {
        MachineSpec declaring = machine;
        for (String text : texts) {
            Map<String, String> t = parse(text);
            declaring = declaring.withTaint(
                    t.get("key"), t.getOrDefault("value", ""), t.get("effect"), t.get("propagation"));
        }
        return declaring;
    }

    public static NodeSpec register(NodeSpec node, String... texts) {
        NodeSpec registering = node;
        for (String text : texts) {
            Map<String, String> t = parse(text);
            registering = registering.withTaint(t.get("key"), t.getOrDefault("value", ""), t.get("effect"));
        }
        return registering;
    }

    /** A merge patch of Machine or Node that makes these its taints. */
    public static String patch(String... texts) {
        return Json.tree(Map.of("spec", Map.of("taints", Arrays.stream(texts).map(Taints::parse).toList())))
                .toString()
                // A Machine's list may be absent, but not empty.
                .replace("\"taints\":[]", "\"taints\":null");
    }

    public static JsonNode json(String... texts) {
        return Json.tree(Arrays.stream(texts).map(Taints::parse).toList());
    }

    private static Map<String, String> parse(String text) {
        String[] parts = text.split(":");
        int equals = parts[0].indexOf('=');
        Map<String, String> taint = new LinkedHashMap<>();
        taint.put("key", equals < 0 ? parts[0] : parts[0].substring(0, equals));
        if (equals >= 0) {
            taint.put("value", parts[0].substring(equals + 1));
        }
        taint.put("effect", parts[1]);
        if (parts.length > 2) {
            taint.put("propagation", parts[2]);
        }
        return taint;
    }

    private static String text(JsonNode taint) {
        String value = taint.path("value").asText();
        return taint.path("key").asText() + (value.isEmpty() ? "" : "=" + value) + ":" + taint.path("effect").asText();
    }
}
