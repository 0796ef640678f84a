package io.nodeward.e2e.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Objects as large and as different from each other as those of a real fleet; each Machine has its taint on its Node. */
final class FleetObjects {
    static final String NAMESPACE = "fleet";
    static final String TAINT = "bench.nodeward.io/dedicated";

    static final int DEPLOYMENTS = 20;

    /** So many that a Node is 15 KB as the server shows it, managedFields included. */
    private static final int IMAGES = 41;
    private static final long SPREAD = 0x9E3779B97F4A7C15L;
    private static final String CLUSTER_API = "cluster.x-k8s.io/v1beta2";
    private static final String THEN = "2026-11-21T00:00:00Z";
    private static final JsonMapper MAPPER = new JsonMapper();

    private FleetObjects() {}

    static JsonNode namespace() {
        return json(Map.of("metadata", Map.of("name", NAMESPACE)));
    }

    static JsonNode cluster(int cluster) {
        return json(Map.of(
                "apiVersion", CLUSTER_API,
                "kind", "Cluster",
                "metadata", Map.of("name", clusterName(cluster), "namespace", NAMESPACE),
                "spec", Map.of("controlPlaneEndpoint", Map.of("host", "127.0.0.1", "port", 6443)),
                "status", Map.of(
                        "phase", "Provisioned",
                        "initialization", Map.of("infrastructureProvisioned", true, "controlPlaneInitialized", true))));
    }

    static JsonNode secret(int cluster, String kubeconfig) {
        String name = clusterName(cluster);
        return json(Map.of(
                "type", "cluster.x-k8s.io/secret",
                "metadata", Map.of("name", name + "-kubeconfig", "namespace", NAMESPACE,
                        "labels", Map.of("cluster.x-k8s.io/cluster-name", name)),
                "stringData", Map.of("value", kubeconfig)));
    }

    static String clusterName(int cluster) {
        return "workload-%03d".formatted(cluster);
    }

    /** Of a Machine and of its Node; no two of a fleet are the same. */
    static String name(int cluster, int number) {
        return "%s-md-%d-%010x".formatted(clusterName(cluster), number % DEPLOYMENTS, random(cluster, number) >>> 24);
    }

    private static long random(int cluster, int number) {
        long x = (((long) cluster << 32) + number + 1) * SPREAD; // odd, so no two are the same
        return x ^ x >>> 29;
    }

    private static String providerId(int cluster, int number) {
        return "aws:///eu-west-1%c/i-%017x".formatted('a' + number % 3, random(cluster, number));
    }

    private static String uid(int cluster, int number) {
        long x = random(cluster, number);
        return "%08x-%04x-4%03x-a%03x-%012x".formatted(x >>> 32, x >>> 16 & 0xffff, x & 0xfff, x >>> 20 & 0xfff,
                x * SPREAD >>> 16);
    }

    static JsonNode machine(int cluster, int number) {
        String name = name(cluster, number);
        String set = "md-" + number % DEPLOYMENTS;
        return json(Map.of(
                "apiVersion", CLUSTER_API,
                "kind", "Machine",
                "metadata", Map.of(
                        "name", name,
                        "namespace", NAMESPACE,
                        "labels", Map.of(
                                "cluster.x-k8s.io/cluster-name", clusterName(cluster),
                                "cluster.x-k8s.io/deployment-name", set,
                                "cluster.x-k8s.io/set-name", set + "-7c9d8",
                                "machine-template-hash", "2750912345-7c9d8"),
                        "ownerReferences", List.of(Map.of(
                                "apiVersion", CLUSTER_API, "kind", "MachineSet", "name", set + "-7c9d8",
                                "uid", uid(cluster, -1 - number % DEPLOYMENTS),
                                "controller", true, "blockOwnerDeletion", true))),
                "spec", machineSpec(cluster, number),
                "status", machineStatus(cluster, number)));
    }

    /** Of the Machines whose number has this remainder. */
    static JsonNode machineDeployment(int cluster, int remainder) {
        String name = "md-" + remainder;
        Map<String, String> labels = Map.of("cluster.x-k8s.io/deployment-name", name);
        return json(Map.of("apiVersion", CLUSTER_API, "kind", "MachineDeployment",
                "metadata", Map.of("name", name, "namespace", NAMESPACE),
                "spec", Map.of("clusterName", clusterName(cluster), "selector", Map.of("matchLabels", labels),
                        "template", Map.of("metadata", Map.of("labels", labels),
                                "spec", machineSpec(cluster, remainder)))));
    }

    private static Map<String, Object> machineSpec(int cluster, int number) {
        String name = name(cluster, number);
        return Map.of(
                "clusterName", clusterName(cluster),
                "version", "v1.36.3",
                "failureDomain", "eu-west-1" + (char) ('a' + number % 3),
                "providerID", providerId(cluster, number),
                "bootstrap", Map.of("dataSecretName", name, "configRef", reference("KubeadmConfig", name)),
                "infrastructureRef", reference("AWSMachine", name),
                "taints", taints("a"));
    }

    /** The one taint a Machine declares, as its spec says it. */
    static List<Map<String, String>> taints(String value) {
        return List.of(Map.of("key", TAINT, "value", value, "effect", "NoSchedule", "propagation", "Always"));
    }

    /** A patch of a Machine that gives its taint another value. */
    static JsonNode change(String value) {
        return json(Map.of("spec", Map.of("taints", taints(value))));
    }

    private static Map<String, String> reference(String kind, String name) {
        return Map.of("apiGroup", "infrastructure.cluster.x-k8s.io", "kind", kind, "name", name);
    }

    private static Map<String, Object> machineStatus(int cluster, int number) {
        List<String> types = List.of("Available", "Ready", "UpToDate", "BootstrapConfigReady", "InfrastructureReady",
                "NodeHealthy", "NodeReady", "Deleting", "Updating", "Paused");
        return Map.of(
                "phase", "Running",
                "observedGeneration", 1,
                "nodeRef", Map.of("name", name(cluster, number)),
                "addresses", addresses(cluster, number),
                "initialization", Map.of("bootstrapDataSecretCreated", true, "infrastructureProvisioned", true),
                "conditions", types.stream().map(type -> Map.of("type", type, "status", "True", "reason", type,
                        "message", "", "observedGeneration", 1, "lastTransitionTime", THEN)).toList(),
                "nodeInfo", nodeInfo(cluster, number));
    }

    static JsonNode node(int cluster, int number) {
        String name = name(cluster, number);
        return json(Map.of(
                "metadata", Map.of(
                        "name", name,
                        "labels", nodeLabels(name, number),
                        "annotations", nodeAnnotations(cluster, number)),
                "spec", Map.of(
                        "podCIDR", "10.%d.%d.0/24".formatted(number >> 8 & 255, number & 255),
                        "podCIDRs", List.of("10.%d.%d.0/24".formatted(number >> 8 & 255, number & 255)),
                        "providerID", providerId(cluster, number),
                        "taints", List.of(Map.of("key", TAINT, "value", "a", "effect", "NoSchedule"))),
                "status", nodeStatus(cluster, number)));
    }

    private static Map<String, String> nodeLabels(String name, int number) {
        String zone = "eu-west-1" + (char) ('a' + number % 3);
        Map<String, String> labels = new LinkedHashMap<>();
        for (String prefix : List.of("", "beta.")) {
            labels.put(prefix + "kubernetes.io/os", "linux");
            labels.put(prefix + "kubernetes.io/arch", "amd64");
        }
        labels.put("kubernetes.io/hostname", name);
        labels.put("node.kubernetes.io/instance-type", "m6i.2xlarge");
        labels.put("beta.kubernetes.io/instance-type", "m6i.2xlarge");
        labels.put("topology.kubernetes.io/region", "eu-west-1");
        labels.put("topology.kubernetes.io/zone", zone);
        labels.put("failure-domain.beta.kubernetes.io/region", "eu-west-1");
        labels.put("failure-domain.beta.kubernetes.io/zone", zone);
        labels.put("topology.ebs.csi.aws.com/zone", zone);
        labels.put("node-role.kubernetes.io/worker", "");
        return labels;
    }

    private static Map<String, String> nodeAnnotations(int cluster, int number) {
        Map<String, String> annotations = new LinkedHashMap<>();
        annotations.put("cluster.x-k8s.io/cluster-name", clusterName(cluster));
        annotations.put("cluster.x-k8s.io/cluster-namespace", NAMESPACE);
        annotations.put("cluster.x-k8s.io/machine", name(cluster, number));
        annotations.put("cluster.x-k8s.io/owner-kind", "MachineSet");
        annotations.put("cluster.x-k8s.io/owner-name", "md-" + number % DEPLOYMENTS + "-7c9d8");
        annotations.put("cluster.x-k8s.io/labels-from-machine", "");
        annotations.put("cluster.x-k8s.io/annotations-from-machine", "");
        annotations.put("cluster.x-k8s.io/taints-from-machine", TAINT + ":NoSchedule");
        annotations.put("csi.volume.kubernetes.io/nodeid",
                "{\"ebs.csi.aws.com\":\"i-%017x\"}".formatted(random(cluster, number)));
        annotations.put("node.alpha.kubernetes.io/ttl", "0");
        annotations.put("projectcalico.org/IPv4Address", address(number) + "/19");
        annotations.put("volumes.kubernetes.io/controller-managed-attach-detach", "true");
        return annotations;
    }

    private static Map<String, Object> nodeStatus(int cluster, int number) {
        Map<String, String> capacity = Map.of("cpu", "8", "memory", "32476Mi", "pods", "110",
                "ephemeral-storage", "104845292Ki", "hugepages-1Gi", "0", "hugepages-2Mi", "0");
        return Map.of(
                "addresses", addresses(cluster, number),
                "capacity", capacity,
                "allocatable", capacity,
                "daemonEndpoints", Map.of("kubeletEndpoint", Map.of("Port", 10250)),
                "nodeInfo", nodeInfo(cluster, number),
                "conditions", List.of(
                        condition("MemoryPressure", "False", "KubeletHasSufficientMemory"),
                        condition("DiskPressure", "False", "KubeletHasNoDiskPressure"),
                        condition("PIDPressure", "False", "KubeletHasSufficientPID"),
                        condition("NetworkUnavailable", "False", "CalicoIsUp"),
                        condition("Ready", "True", "KubeletReady")),
                "images", IntStream.range(0, IMAGES).mapToObj(i -> image(cluster, number, i)).toList());
    }

    private static String address(int number) {
        return "10.0.%d.%d".formatted(number >> 8 & 255, number & 255);
    }

    private static List<Map<String, String>> addresses(int cluster, int number) {
        return List.of(
                Map.of("type", "InternalIP", "address", address(number)),
                Map.of("type", "InternalDNS", "address", name(cluster, number) + ".eu-west-1.compute.internal"),
                Map.of("type", "Hostname", "address", name(cluster, number)));
    }

    private static Map<String, String> nodeInfo(int cluster, int number) {
        return Map.of("machineID", uid(cluster, number).replace("-", ""), "systemUUID", uid(cluster, number),
                "bootID", uid(cluster, number + 1), "kernelVersion", "6.12.40-63.114.amzn2023.x86_64",
                "osImage", "Amazon Linux 2023.8.20260915", "containerRuntimeVersion", "containerd://2.1.4",
                "kubeletVersion", "v1.36.3", "kubeProxyVersion", "", "operatingSystem", "linux",
                "architecture", "amd64");
    }

    private static Map<String, String> condition(String type, String status, String reason) {
        return Map.of("type", type, "status", status, "reason", reason, "message", "kubelet reports " + reason,
                "lastHeartbeatTime", THEN, "lastTransitionTime", THEN);
    }

    private static Map<String, Object> image(int cluster, int number, int image) {
        String name = "registry.example.com/platform/component-%02d".formatted(image);
        long digest = random(cluster + image, number % DEPLOYMENTS);
        return Map.of("names", List.of("%s@sha256:%016x%048x".formatted(name, digest, digest * SPREAD),
                name + ":v1.%d.%d".formatted(image, number % DEPLOYMENTS)), "sizeBytes", 10_000_000 + image);
    }

    private static JsonNode json(Map<String, ?> object) {
        return MAPPER.valueToTree(object);
    }
}
