package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a kubelet sends: its Node when it registers, and reports of its status, as large as real ones. */
public final class KubeletObjects {
    private static final int IMAGES = 20;

    private KubeletObjects() {}

    /** A Node as it is created. */
    public static JsonNode registration(NodeSpec node) {
        Map<String, String> labels = new LinkedHashMap<>(Map.of(
                "kubernetes.io/hostname", node.name(),
                "kubernetes.io/os", "linux",
                "kubernetes.io/arch", "amd64",
                "topology.kubernetes.io/zone", "zone-a",
                "node.kubernetes.io/instance-type", "m5.large"));
        labels.putAll(node.labels());
        Map<String, Object> spec = new LinkedHashMap<>();
        if (!node.providerId().isEmpty()) {
            spec.put("providerID", node.providerId());
        }
        if (!node.taints().isEmpty()) {
            spec.put("taints", node.taints());
        }
        Map<String, String> annotations = Map.of("volumes.kubernetes.io/controller-managed-attach-detach", "true");
        return Json.tree(Map.of(
                "apiVersion", "v1",
                "kind", "Node",
                "metadata", Map.of("name", node.name(), "labels", labels, "annotations", annotations),
                "spec", spec));
    }

    /** A patch of the status subresource; also serves as heartbeat, as its times are those of the call. */
    public static JsonNode ready(String node) {
        Map<String, String> capacity =
                Map.of("cpu", "4", "memory", "16Gi", "pods", "110", "ephemeral-storage", "100Gi");
        return Json.tree(Map.of("status", Map.of(
                "conditions", List.of(
                        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
                        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
                        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
                        condition("Ready", "True", "KubeletReady")),
                "addresses", List.of(Map.of("type", "Hostname", "address", node)),
                "capacity", capacity,
                "allocatable", capacity,
                "nodeInfo", nodeInfo(node),
                "images", IntStream.range(0, IMAGES).mapToObj(KubeletObjects::image).toList())));
    }

    private static Map<String, String> condition(String type, String status, String reason) {
        String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return Map.of("type", type, "status", status, "reason", reason, "message", "kubelet reports " + reason,
                "lastHeartbeatTime", now, "lastTransitionTime", now);
    }

    private static Map<String, String> nodeInfo(String node) {
        return Map.of("machineID", node, "systemUUID", node, "bootID", node, "kernelVersion", "6.1.0",
                "osImage", "Linux", "containerRuntimeVersion", "containerd://2.0.0", "kubeletVersion", "v1.36.3",
                "kubeProxyVersion", "", "operatingSystem", "linux", "architecture", "amd64");
    }

    private static Map<String, Object> image(int number) {
        String name = "images.example.com/library/image-%02d".formatted(number);
        List<String> names = List.of("%s@sha256:%064d".formatted(name, number), name + ":v1");
        return Map.of("names", names, "sizeBytes", 10_000_000);
    }
}
