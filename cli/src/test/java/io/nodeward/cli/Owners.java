package io.nodeward.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** Owners of Nodes, and the Nodes, in one cluster that is management and workload cluster at once. */
final class Owners implements AutoCloseable {
    private static final String GROUP = "cluster.x-k8s.io";

    final Cluster cluster;

    Owners(Path folder) throws IOException {
        cluster = new Cluster(folder, Options.defaults()
                .withKind(Kind.custom(GROUP, List.of("v1beta2"), "machinedeployments", "MachineDeployment"))
                .withKind(Kind.custom(GROUP, List.of("v1beta2"), "machinesets", "MachineSet"))
                .withKind(Kind.custom("controlplane." + GROUP, List.of("v1beta2"), "kubeadmcontrolplanes",
                        "KubeadmControlPlane")));
    }

    static String template(String taints) {
        return template(taints, 1);
    }

    static String template(String taints, int replicas) {
        return "{\"clusterName\":\"c\",\"replicas\":" + replicas
                + ",\"template\":{\"spec\":{\"clusterName\":\"c\",\"taints\":" + taints + "}}}";
    }

    JsonNode create(String plural, String metadata, String spec) throws IOException {
        return create(plural, metadata, spec, "{}");
    }

    JsonNode create(String plural, String metadata, String spec, String status) throws IOException {
        ObjectNode object = (ObjectNode) Cluster.JSON.readTree("""
                {"metadata":%s,"spec":%s,"status":%s}""".formatted(metadata, spec, status));
        object.withObject("/metadata").put("namespace", "default");
        if (object.path("status").isEmpty()) {
            object.remove("status");
        }
        return cluster.server.create(plural, object);
    }

    /** Metadata of what is owned. */
    static String ownedBy(JsonNode owner, String name, String labels) {
        return """
                {"name":"%s","labels":%s,"ownerReferences":[{"apiVersion":"%s","kind":"%s","name":"%s","uid":"%s",
                 "controller":true}]}""".formatted(name, labels, owner.path("apiVersion").asText(),
                owner.path("kind").asText(), owner.at("/metadata/name").asText(), owner.at("/metadata/uid").asText());
    }

    /** Its Machine, and a Node of the same name. */
    void machine(JsonNode owner, String name) throws IOException {
        machine(owner, name, "{\"nodeRef\":{\"name\":\"" + name + "\"}}");
        cluster.node(name, "{}", "[]");
    }

    void machine(JsonNode owner, String name, String status) throws IOException {
        create("machines", ownedBy(owner, name, "{\"cluster.x-k8s.io/cluster-name\":\"c\"}"),
                "{\"clusterName\":\"c\"}", status);
    }

    /** The way from a Cluster to its Nodes. */
    void secret(String name) throws IOException {
        cluster.server.create("secrets", Cluster.JSON.readTree("{\"metadata\":{\"namespace\":\"default\",\"name\":\""
                + name + "-kubeconfig\"},\"data\":{\"value\":\"" + Base64.getEncoder().encodeToString(
                        cluster.server.kubeconfig().getBytes(StandardCharsets.UTF_8))
                + "\"}}"));
    }

    void merge(String plural, String name, String patch) {
        try {
            cluster.server.mergePatch(plural, plural.equals("nodes") ? "" : "default", name,
                    Cluster.JSON.readTree(patch));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void propagate(String node, String key) {
        merge("nodes", node, "{\"spec\":{\"taints\":[{\"key\":\"" + key + "\",\"effect\":\"NoSchedule\"}]}}");
    }

    Result taint(String words) {
        return cluster.run(("taint " + words).split(" "));
    }

    /** Whether it is one of a wait, for all Nodes. */
    static boolean isLook(Request request) {
        return request.method().equals("GET") && request.path().equals("/api/v1/nodes");
    }

    @Override
    public void close() {
        cluster.close();
    }
}
