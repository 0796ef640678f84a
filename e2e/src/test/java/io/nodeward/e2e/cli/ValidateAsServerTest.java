package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.ServedDefinitions;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.validate.Finding;
import io.nodeward.cli.validate.ManifestCheck;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/**
 * Edits at random, right and wrong, of valid objects: what the command calls an error, kube-apiserver refuses, and the command finds
 * what it refuses for an unknown field, a type, an enumeration or a limit of a number.
 */
class ValidateAsServerTest {
    private static final int EDITS = 150;
    private static final String NODEWARD = "nodeward.io";
    /** Of Nodeward's kinds on the shared server, so that no controller of a suite takes their objects for its own. */
    private static final String OTHER = "validated.nodeward.io";
    private static final Pattern BY_SCHEMA = Pattern.compile("unknown field|must be of type|cannot unmarshal"
            + "|Unsupported value|greater than or equal|less than or equal|non-negative|must be an integer");
    private static final String TAINTS = "\"taints\":[{\"key\":\"a\",\"value\":\"b\",\"effect\":\"NoSchedule\","
            + "\"propagation\":\"Always\"}]";
    private static final String METADATA = "\"metadata\":{\"labels\":{\"a\":\"b\"},\"annotations\":{\"a.b/c\":\"d\"}}";
    private static final String MACHINE = "{\"clusterName\":\"c\",\"version\":\"v1.36.0\",\"failureDomain\":\"f\","
            + "\"bootstrap\":{\"dataSecretName\":\"s\"},\"infrastructureRef\":{\"apiGroup\":"
            + "\"infrastructure.cluster.x-k8s.io\",\"kind\":\"X\",\"name\":\"x\"},\"deletion\":"
            + "{\"nodeDrainTimeoutSeconds\":10}," + TAINTS + "}";
    private static final String TEMPLATE = "{" + METADATA + ",\"spec\":" + MACHINE + "}";
    private static final String REF =
            "{\"templateRef\":{\"apiVersion\":\"x.example.com/v1\",\"kind\":\"X\",\"name\":\"x\"}}";

    /** A valid object of each kind. */
    enum Kind {
        MACHINE("machines", "Machine", "v1beta2", ValidateAsServerTest.MACHINE),
        MACHINE_SET("machinesets", "MachineSet", "v1beta2", "{\"clusterName\":\"c\",\"replicas\":3,\"selector\":"
                + "{\"matchLabels\":{\"a\":\"b\"}},\"template\":" + TEMPLATE + "}"),
        MACHINE_DEPLOYMENT("machinedeployments", "MachineDeployment", "v1beta2",
                "{\"clusterName\":\"c\",\"replicas\":3,"
                        + "\"paused\":false,\"rollout\":{\"strategy\":{\"type\":\"RollingUpdate\",\"rollingUpdate\":"
                        + "{\"maxSurge\":\"10%\",\"maxUnavailable\":1}}},\"selector\":{\"matchExpressions\":[{\"key\":\"a\","
                        + "\"operator\":\"In\",\"values\":[\"b\"]}]},\"template\":" + TEMPLATE + "}"),
        OLDER_MACHINE_DEPLOYMENT("machinedeployments", "MachineDeployment", "v1beta1", "{\"clusterName\":\"c\","
                + "\"replicas\":3,\"minReadySeconds\":1,\"selector\":{},\"template\":{" + METADATA + ",\"spec\":"
                + "{\"clusterName\":\"c\",\"bootstrap\":{\"dataSecretName\":\"s\"},\"infrastructureRef\":"
                + "{\"kind\":\"X\",\"name\":\"x\",\"apiVersion\":\"a/v1\"},\"nodeDrainTimeout\":\"10s\"," + TAINTS
                + "}}}"),
        MACHINE_POOL("machinepools", "MachinePool", "v1beta2", "{\"clusterName\":\"c\",\"replicas\":3,"
                + "\"providerIDList\":[\"a\"],\"failureDomains\":[\"f\"],\"template\":" + TEMPLATE + "}"),
        CLUSTER("clusters", "Cluster", "v1beta2", "{\"paused\":false,\"clusterNetwork\":{\"apiServerPort\":6443,"
                + "\"pods\":{\"cidrBlocks\":[\"10.0.0.0/8\"]}},\"controlPlaneEndpoint\":{\"host\":\"h\",\"port\":6443},"
                + "\"topology\":{\"classRef\":{\"name\":\"x\"},\"version\":\"v1.36.0\",\"controlPlane\":{\"replicas\":1,"
                + METADATA + "," + TAINTS + "},\"variables\":[{\"name\":\"v\",\"value\":{\"any\":[1]}}],\"workers\":"
                + "{\"machineDeployments\":[{\"name\":\"w\",\"class\":\"w\",\"replicas\":2," + METADATA + "," + TAINTS
                + "}],\"machinePools\":[{\"name\":\"p\",\"class\":\"w\"," + TAINTS + "}]}}}"),
        CLUSTER_CLASS("clusterclasses", "ClusterClass", "v1beta2", "{\"infrastructure\":" + REF + ",\"controlPlane\":"
                + "{\"templateRef\":{\"apiVersion\":\"x.example.com/v1\",\"kind\":\"X\",\"name\":\"x\"}," + TAINTS
                + "},\"variables\":[{\"name\":\"v\",\"required\":true,\"schema\":{\"openAPIV3Schema\":"
                + "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}}}],\"workers\":"
                + "{\"machineDeployments\":[{\"class\":\"w\",\"bootstrap\":" + REF + ",\"infrastructure\":" + REF
                + "," + TAINTS + "}]}}"),
        DEDICATED_NODES("dedicatednodes", "DedicatedNodes", "v1alpha1", "{\"taint\":{\"key\":\"dedicated\",\"value\":"
                + "\"banana\",\"effects\":[\"NoSchedule\"]},\"nodes\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}}},"
                + "\"who\":{\"namespaces\":[\"banana\"]},\"enforcement\":\"Audit\",\"exclusive\":true,"
                + "\"confirmedPods\":3}");

        private final String plural;
        private final ObjectNode object;

        Kind(String plural, String kind, String version, String spec) {
            this.plural = plural;
            String group = kind.equals("DedicatedNodes") ? NODEWARD : "cluster.x-k8s.io";
            object = (ObjectNode) Json.tree(Map.of("apiVersion", group + "/" + version, "kind", kind, "metadata",
                    Map.of("name", "random", "labels", Map.of("a", "b"), "annotations", Map.of("a.b/c", "d"),
                            "finalizers", List.of("a.b/c")),
                    "spec", Json.parse(spec)));
        }

        /** Returns the path of its collection, with the group that the server knows it by. */
        private String path() {
            String groupVersion = "/apis/" + served(object).path("apiVersion").asText() + "/";
            return groupVersion + (this == DEDICATED_NODES ? "" : "namespaces/default/") + plural;
        }

        private static JsonNode served(ObjectNode object) {
            String version = object.path("apiVersion").asText();
            return version.startsWith(NODEWARD + "/")
                    ? object.deepCopy().put("apiVersion", version.replace(NODEWARD, OTHER))
                    : object;
        }
    }

    private static AdminClient admin;
    private static ManifestCheck byCrds;
    private static ManifestCheck byOpenApi;

    @BeforeAll
    static void install() {
        ControlPlane server = ControlPlane.shared();
        admin = server.admin();
        ClusterApiCrds.install(admin);
        ClusterApiCrds.install(admin, List.of(ShippedCrds.own("dedicatednodes", OTHER)));
        List<JsonNode> crds = new ArrayList<>(ClusterApiCrds.published());
        crds.add(ShippedCrds.own("dedicatednodes"));
        byCrds = new ManifestCheck(crds.stream().map(crd -> new Manifest((ObjectNode) crd, "crds")));
        ClusterOptions options = new ClusterOptions(
                Map.of("KUBECONFIG", server.file(server.adminKubeconfig()).toString()));
        new CommandLine(options).parseArgs();
        try (LiveCluster live = options.connect()) {
            await("OpenAPI of all CRDs").atMost(MachineSuite.PATIENCE).until(() -> Stream.of("cluster.x-k8s.io", OTHER)
                    .flatMap(group -> ServedDefinitions.of(live, group, versions()).stream())
                    .flatMap(crd -> crd.at("/spec/versions").valueStream())
                    .allMatch(version -> version.has("schema")));
            byOpenApi = new ManifestCheck(Stream.of("cluster.x-k8s.io", OTHER)
                    .flatMap(group -> ServedDefinitions.of(live, group, versions()).stream())
                    .map(crd -> new Manifest(inGroup(crd), "live")));
        }
    }

    private static Set<String> versions() {
        return Set.of("v1beta2", "v1beta1", "v1alpha1");
    }

    private static ObjectNode inGroup(ObjectNode crd) {
        if (crd.at("/spec/group").asText().equals(OTHER)) {
            crd.withObject("/spec").put("group", NODEWARD);
        }
        return crd;
    }

    @ParameterizedTest
    @EnumSource
    void the_command_and_the_server_find_the_same(Kind kind) {
        assertThat(refusal(kind, kind.object)).as("the object itself").isEmpty();
        assertThat(errors(byCrds, kind.object)).as("the object itself").isEmpty();
        int found = 0;
        for (int i = 0; i < EDITS; i++) {
            long seed = kind.ordinal() * 1_000_003L + i;
            ObjectNode edited = new RandomEdit(seed).of(kind.object);
            String refusal = refusal(kind, edited);
            List<String> errors = errors(byCrds, edited);
            String what = "seed " + seed + ": " + edited + "\nthe server: " + refusal;

            assertThat(errors(byOpenApi, edited)).as(what).isEqualTo(errors);
            if (!errors.isEmpty()) {
                found++;
                assertThat(refusal).as("%s%nthe command: %s", what, errors).isNotEmpty();
            } else {
                assertThat(BY_SCHEMA.matcher(refusal).find()).as(what).isFalse();
            }
        }
        assertThat(found).isBetween(EDITS / 5, EDITS * 4 / 5);
    }

    /** Returns why the server does not store it; empty if it does. */
    private static String refusal(Kind kind, ObjectNode object) {
        AdminClient.Reply reply =
                admin.send("POST", kind.path() + "?dryRun=All&fieldValidation=Strict", AdminClient.JSON,
                        Kind.served(object).toString());
        return reply.isOk() ? "" : reply.code() + " " + reply.body().path("message").asText();
    }

    private static List<String> errors(ManifestCheck check, ObjectNode object) {
        return check.findings(new Manifest(object, "edit")).stream().filter(Finding::error)
                .map(finding -> finding.field() + ": " + finding.message()).toList();
    }
}
