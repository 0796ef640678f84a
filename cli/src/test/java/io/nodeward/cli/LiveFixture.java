package io.nodeward.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The fleet of the other tests on two servers: owners in a management cluster, Nodes and pods in a workload cluster. */
abstract class LiveFixture {
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");

    @TempDir
    Path folder;

    Cluster management;
    FakeApiServer workload;

    @BeforeEach
    void start() throws IOException {
        Options options = Options.defaults();
        for (String kind : List.of("MachineSet", "MachineDeployment", "ClusterClass")) {
            options = options.withKind(custom("cluster.x-k8s.io", kind));
        }
        management = new Cluster(folder, options
                .withKind(custom("controlplane.cluster.x-k8s.io", "KubeadmControlPlane"))
                .withKind(custom("bootstrap.cluster.x-k8s.io", "KubeadmConfig")));
        workload = FakeApiServer.start(workloadKinds(Options.defaults().withKind(
                Kind.custom("policy", List.of("v1"), "poddisruptionbudgets", "PodDisruptionBudget"))));
        namespace(management.server, "fleet");
        namespace(workload, "shop");
        try (MappingIterator<JsonNode> objects =
                new YAMLMapper().readerFor(JsonNode.class).readValues(Typed.fleet())) {
            while (objects.hasNext()) {
                create((ObjectNode) objects.next());
            }
        }
        kubeconfig("prod", workload.kubeconfig());
    }

    /** What the workload cluster serves besides. */
    Options workloadKinds(Options options) {
        return options;
    }

    @AfterEach
    void stop() {
        management.close();
        workload.close();
    }

    private static Kind custom(String group, String kind) {
        return Kind.custom(group, VERSIONS, kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s"), kind)
                .withStatus(false);
    }

    static void namespace(FakeApiServer server, String name) {
        ObjectNode namespace = Cluster.JSON.createObjectNode();
        namespace.putObject("metadata").put("name", name);
        server.create("namespaces", namespace);
    }

    private void create(ObjectNode object) {
        String kind = object.path("kind").asText();
        String plural = kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s");
        FakeApiServer server = object.path("apiVersion").asText().equals("v1") ? workload : management.server;
        JsonNode status = object.path("status");
        server.create(plural, object);
        if (status.isObject()) {
            server.mergePatch(plural, object.at("/metadata/namespace").asText(), object.at("/metadata/name").asText(),
                    Cluster.JSON.createObjectNode().set("status", status));
        }
    }

    void kubeconfig(String cluster, String text) {
        ObjectNode secret = Cluster.JSON.createObjectNode();
        secret.putObject("metadata").put("namespace", "fleet").put("name", cluster + "-kubeconfig");
        secret.putObject("data").put("value",
                Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8)));
        management.server.create("secrets", secret);
    }

    void cluster(String name) throws IOException {
        create((ObjectNode) Cluster.JSON.readTree("""
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","metadata":{"namespace":"fleet","name":"%s"}}
                """.formatted(name)));
    }
}
