package io.nodeward.training;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A fleet on a server that is management and workload cluster, and what happens to it.
 *
 * @param size Machines, each with its Node
 */
record Work(FakeApiServer server, int size) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String NAMESPACE = "fleet";
    private static final String CLUSTER = "c";
    private static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";
    private static final String KEY = "example.com/training";
    private static final int IMAGES = 20;

    /** @param kubeconfig with which the Nodes are reached */
    void create(String kubeconfig) {
        server.create("namespaces", json(Map.of("metadata", Map.of("name", NAMESPACE))));
        server.create("clusters", json(Map.of(
                "metadata", Map.of("namespace", NAMESPACE, "name", CLUSTER),
                "spec", Map.of("controlPlaneEndpoint", Map.of("host", "127.0.0.1", "port", 6443)),
                "status", Map.of("initialization",
                        Map.of("infrastructureProvisioned", true, "controlPlaneInitialized", true)))));
        byte[] secret = kubeconfig.getBytes(StandardCharsets.UTF_8);
        server.create("secrets", json(Map.of(
                "metadata", Map.of("namespace", NAMESPACE, "name", CLUSTER + "-kubeconfig",
                        "labels", Map.of(CLUSTER_NAME, CLUSTER)),
                "type", "cluster.x-k8s.io/secret",
                "data", Map.of("value", Base64.getEncoder().encodeToString(secret)))));
        for (int i = 0; i < size; i++) {
            server.create("nodes", node(i));
            server.create("machines", machine(i));
        }
    }

    private static JsonNode machine(int i) {
        return json(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2",
                "metadata", Map.of("namespace", NAMESPACE, "name", name(i), "labels", Map.of(CLUSTER_NAME, CLUSTER),
                        "ownerReferences", List.of(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2",
                                "kind", "MachineSet", "name", "workers", "controller", true,
                                "uid", "00000000-0000-4000-8000-000000000001"))),
                "spec", Map.of("clusterName", CLUSTER, "version", "v1.36.3", "providerID", providerId(i)),
                "status", Map.of("phase", "Running", "nodeRef", Map.of("name", name(i)))));
    }

    private static JsonNode node(int i) {
        return json(Map.of(
                "metadata", Map.of("name", name(i), "labels", Map.of("kubernetes.io/hostname", name(i),
                        "kubernetes.io/os", "linux", "kubernetes.io/arch", "amd64",
                        "topology.kubernetes.io/zone", "zone-a", "node.kubernetes.io/instance-type", "m5.large")),
                "spec", Map.of("providerID", providerId(i)),
                "status", Map.of("conditions", conditions(0), "images", images(),
                        "capacity", Map.of("cpu", "4", "memory", "16Gi", "pods", "110"),
                        "nodeInfo", Map.of("kubeletVersion", "v1.36.3", "osImage", "Linux"))));
    }

    private static List<?> conditions(int minute) {
        String now = Instant.EPOCH.plusSeconds(60L * minute).toString();
        return Stream.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready").map(type -> Map.of(
                "type", type, "status", type.equals("Ready") ? "True" : "False", "reason", "KubeletSays",
                "message", "kubelet says so", "lastHeartbeatTime", now, "lastTransitionTime", "1970-01-01T00:00:00Z"))
                .toList();
    }

    private static List<?> images() {
        return IntStream.range(0, IMAGES).mapToObj(i -> Map.of("sizeBytes", 10_000_000 + i, "names", List.of(
                "registry.example.com/library/image-%02d@sha256:%064d".formatted(i, i),
                "registry.example.com/library/image-%02d:v1.%d".formatted(i, i)))).toList();
    }

    /** Every Machine declares the taint with this value. */
    void declare(String value) {
        JsonNode taints = json(Map.of("spec", Map.of("taints", List.of(Map.of(
                "key", KEY, "value", value, "effect", "NoSchedule", "propagation", "Always")))));
        for (int i = 0; i < size; i++) {
            server.mergePatch("machines", NAMESPACE, name(i), taints);
        }
    }

    /** Somebody takes all taints off every Node. */
    void drift() {
        JsonNode none = json(Map.of("spec", Map.of("taints", List.of())));
        for (int i = 0; i < size; i++) {
            server.mergePatch("nodes", "", name(i), none);
        }
    }

    /** Every kubelet says that its Node is well. */
    void heartbeats(int minute) {
        JsonNode status = json(Map.of("status", Map.of("conditions", conditions(minute))));
        for (int i = 0; i < size; i++) {
            server.mergePatch("nodes", "", name(i), status);
        }
    }

    /** Whether every Node bears the taint with this value. */
    boolean isDone(String value) {
        return server.list("nodes").stream().allMatch(node -> node.path("spec").path("taints").valueStream()
                .anyMatch(taint -> taint.path("key").asText().equals(KEY)
                        && taint.path("value").asText().equals(value)));
    }

    private static String name(int i) {
        return "machine-%05d".formatted(i);
    }

    private static String providerId(int i) {
        return "training://zone-a/" + name(i);
    }

    private static JsonNode json(Map<String, ?> object) {
        return MAPPER.valueToTree(object);
    }
}
