package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** device list and explain device of a live cluster. */
class LiveDevicesTest {
    private static final String KUBERNETES = "resource.k8s.io";
    private static final String SLICES = "resourceslices";
    private static final String CLASSES = "deviceclasses";
    private static final String CLAIMS = "resourceclaims";

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(folder, rules(devices(Options.defaults())));
        fill(cluster, Set.of("Pod", "ResourceSlice", "DeviceClass", "ResourceClaim", "DeviceTaintRule"));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Options devices(Options options) {
        return options.withKind(custom(KUBERNETES, "v1", SLICES, "ResourceSlice").clusterScoped())
                .withKind(custom(KUBERNETES, "v1", CLASSES, "DeviceClass").clusterScoped())
                .withKind(custom(KUBERNETES, "v1", CLAIMS, "ResourceClaim"));
    }

    private static Options rules(Options options) {
        return options
                .withKind(custom("nodeward.io", "v1alpha1", "devicetaintrules", "DeviceTaintRule").clusterScoped());
    }

    private static Kind custom(String group, String version, String plural, String kind) {
        return Kind.custom(group, List.of(version), plural, kind).withStatus(false);
    }

    /** The rules of Kubernetes are left out: the fake has one kind of a plural. */
    private static void fill(Cluster cluster, Set<String> kinds) throws IOException {
        LiveFixture.namespace(cluster.server, "shop");
        for (JsonNode item : new YAMLMapper().readTree(Typed.devices()).path("items")) {
            String kind = item.path("kind").asText();
            if (kinds.contains(kind) && !item.path("apiVersion").asText().equals("resource.k8s.io/v1beta2")) {
                create(cluster, (ObjectNode) item, kind.toLowerCase(Locale.ROOT) + (kind.endsWith("s") ? "es" : "s"));
            }
        }
    }

    private static void create(Cluster cluster, ObjectNode object, String plural) {
        JsonNode status = object.path("status");
        JsonNode created = cluster.server.create(plural, object);
        if (plural.equals("pods")) {
            cluster.server.mergePatch(plural, "shop", created.at("/metadata/name").asText(),
                    Cluster.JSON.createObjectNode().set("status", status));
        }
    }

    /** A server makes a pod's UID. */
    private void reserve(String pod) {
        String uid = cluster.server.get("pods", "shop", pod).orElseThrow().at("/metadata/uid").asText();
        ObjectNode patch = Cluster.JSON.createObjectNode();
        patch.putObject("status").putArray("reservedFor").addObject().put("resource", "pods").put("name", pod)
                .put("uid", uid);
        cluster.server.mergePatch(CLAIMS, "shop", "train-gpu", patch);
    }

    /** Reserves the claim for a PodGroup of which this is a pod that names the claim. */
    private void reserveForGroupOf(String pod) {
        ObjectNode member = Cluster.JSON.createObjectNode();
        member.putObject("spec").putObject("schedulingGroup").put("podGroupName", "gang");
        member.withObject("/spec").putArray("resourceClaims").addObject().put("name", "r")
                .put("resourceClaimName", "train-gpu");
        cluster.server.mergePatch("pods", "shop", pod, member);
        ObjectNode patch = Cluster.JSON.createObjectNode();
        patch.putObject("status").putArray("reservedFor").addObject().put("apiGroup", "scheduling.k8s.io")
                .put("resource", "podgroups").put("name", "gang").put("uid", "g");
        cluster.server.mergePatch(CLAIMS, "shop", "train-gpu", patch);
    }

    private void forbid(String path) {
        cluster.server.fault(1_000, request -> request.path().contains(path),
                Fault.status(403, "Forbidden", "not you"));
    }

    @Test
    void a_list_is_the_same_as_from_files() throws IOException {
        String offline =
                Typed.run(Typed.devices().replace("resource.k8s.io/v1beta2", "other/v1"), "device", "list", "-f",
                        "-").out();
        Result result = cluster.run("device", "list");
        assertThat(result.err()).startsWith("warning: claims have 1 device").hasLineCount(1);
        assertThat(result.out()).contains("shop/train-0", "rule old-driver", "error").isEqualTo(offline);
    }

    @Test
    void a_taint_is_as_old_as_its_rule_unless_it_says_since_when_it_is_there() {
        assertThat(cluster.run("device", "list", "-o", "wide").out())
                .containsPattern("rule old-driver +fakeapi +[0-9yd]+ ")
                .containsPattern("rule ports +fakeapi +[0-9]s *\n");
    }

    @Test
    void who_declared_a_taint_is_told_as_the_server_has_it() {
        assertThat(cluster.run("device", "taint", "n1/gpu-0", "example.com/broken:None").exit()).isZero();
        assertThat(cluster.run("device", "list", "--node", "n1", "-o", "wide").out())
                .containsPattern(
                        "example.com/broken:None +rule broken-n1-gpu-0-[0-9a-f]+ +nodeward-device-taint +[0-9]");
    }

    @Test
    void a_device_is_explained_with_the_pods_that_are_there() {
        reserve("train-1");
        Result result = cluster.run("explain", "device", "n1/gpu-0");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("Device gpu.example.com/n1/gpu-0, on Node n1\n").contains("after 300s");
        cluster.server.delete("pods", "shop", "train-1");
        assertThat(cluster.run("explain", "device", "n1/gpu-0").out()).contains("it is gone")
                .doesNotContain("after 300s");
    }

    @Test
    void rules_of_kubernetes_are_told_apart() throws IOException {
        try (Cluster other = new Cluster(folder.resolve("."), devices(Options.defaults())
                .withKind(custom(KUBERNETES, "v1beta2", "devicetaintrules", "DeviceTaintRule").clusterScoped()))) {
            fill(other, Set.of("ResourceSlice"));
            create(other, (ObjectNode) Cluster.JSON.readTree("""
                    {"metadata":{"name":"maintenance"},"spec":{"deviceSelector":{"pool":"n2"},
                     "taint":{"key":"example.com/maintenance","effect":"NoExecute"}}}"""), "devicetaintrules");
            Result result = other.run("device", "list", "--rule", "maintenance", "-o", "wide");
            assertThat(result.err())
                    .isEqualTo("warning: the server does not have devicetaintrules.nodeward.io: Nodeward"
                            + " has no rules here\n");
            assertThat(result.out()).contains("gpu.example.com/n2/gpu-0", "resource.k8s.io rule maintenance");
        }
    }

    @Test
    void a_rule_that_nodeward_made_for_the_scheduler_is_not_listed_beside_its_owner() throws IOException {
        try (Cluster other = new Cluster(folder.resolve("."), devices(Options.defaults())
                .withKind(custom(KUBERNETES, "v1beta2", "devicetaintrules", "DeviceTaintRule").clusterScoped()))) {
            fill(other, Set.of("ResourceSlice"));
            for (String owner : List.of("nodeward.io/v1alpha1", "other.example.com/v1")) {
                create(other, (ObjectNode) Cluster.JSON.readTree("""
                        {"metadata":{"name":"of-%s","ownerReferences":[{"apiVersion":"%s","kind":"DeviceTaintRule",
                         "name":"broken","uid":"1","controller":true}]},"spec":{"deviceSelector":{"pool":"n2"},
                         "taint":{"key":"example.com/broken","effect":"NoSchedule"}}}"""
                        .formatted(owner.split("/")[0], owner)), "devicetaintrules");
            }
            assertThat(other.run("device", "list", "-o", "wide").out()).contains("rule of-other.example.com")
                    .doesNotContain("of-nodeward.io");
        }
    }

    @Test
    void a_server_without_devices_is_refused_in_clear_words() throws IOException {
        try (Cluster plain = new Cluster(folder.resolve("."), rules(Options.defaults()))) {
            for (String command : List.of("device list", "explain device n1/gpu-0")) {
                Result result = plain.run(command.split(" "));
                assertThat(result.exit()).isEqualTo(1);
                assertThat(result.out()).isEmpty();
                assertThat(result.err())
                        .startsWith("error: the server doesn't have a resource type \"resourceslices\" in"
                                + " resource.k8s.io/v1\nKubernetes has it from 1.34 on. Is context ");
            }
        }
    }

    @Test
    void without_the_kind_of_nodewards_rules_the_rest_is_shown() throws IOException {
        try (Cluster plain = new Cluster(folder.resolve("."), devices(Options.defaults()))) {
            fill(plain, Set.of("ResourceSlice"));
            Result result = plain.run("device", "list", "-o", "wide");
            assertThat(result.exit()).isZero();
            assertThat(result.err()).isEqualTo(
                    "warning: the server does not have devicetaintrules.nodeward.io: Nodeward has no rules here\n");
            assertThat(result.out()).contains("gpu.example.com/unhealthy=ecc:NoExecute").doesNotContain("rule");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "resourceclaims | list resourceclaims.resource.k8s.io: who uses the devices is not known",
            "deviceclasses | list deviceclasses.resource.k8s.io: whether rules with a deviceClassName select devices is"
                    + " not known",
            "devicetaintrules | list devicetaintrules.nodeward.io: which taints its rules bring is not known"})
    void what_may_not_be_read_is_missed_with_a_warning(String plural, String right) {
        forbid("/v1/" + plural);
        forbid("/v1alpha1/" + plural);
        for (String command : List.of("device list", "explain device n1/gpu-1")) {
            Result result = cluster.run(command.split(" "));
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.err()).contains("warning: not allowed to " + right + "\n");
            assertThat(result.out()).contains("gpu.example.com");
        }
    }

    @Test
    void who_uses_a_device_is_not_nobody_if_it_may_not_be_read() throws IOException {
        forbid("/resourceclaims");
        assertThat(cluster.run("device", "list", "-o", "wide", "--node", "n1").out().lines().skip(1))
                .allMatch(line -> line.endsWith(" ?"));
        assertThat(cluster.run("explain", "device", "n1/gpu-0").out()).endsWith("\nIt is not known who uses it.\n");
        for (String command : List.of("device list", "explain device n1/gpu-0")) {
            JsonNode json = Cluster.JSON.readTree(cluster.run((command + " -o json").split(" ")).out());
            assertThat(json.findValues("claims")).isEmpty();
            assertThat(json.findValues("pods")).isEmpty();
        }
    }

    @Test
    void a_class_that_may_not_be_read_is_not_taken_for_missing() {
        forbid("/deviceclasses");
        assertThat(cluster.run("explain", "device", "n1/gpu-1", "-o", "wide").out()).containsPattern(
                "DeviceTaintRule h100 +not allowed to list deviceclasses").doesNotContain("there is no DeviceClass");
        assertThat(cluster.run("device", "list", "--rule", "h100", "-o", "wide").out()).contains("error");
    }

    @Test
    void pods_that_may_not_be_read_are_not_taken_for_gone() {
        reserve("train-1");
        forbid("/pods");
        Result result = cluster.run("explain", "device", "n1/gpu-0");
        assertThat(result.err()).isEqualTo("warning: not allowed to get pods: whether they run is not known\n");
        assertThat(result.out()).contains("shop/train-1", "after 300s").doesNotContain("is gone");
    }

    @Test
    void the_pods_of_a_group_are_listed_in_their_namespace_and_a_user_who_may_not_is_told() {
        reserveForGroupOf("train-1");
        assertThat(cluster.run("explain", "device", "n1/gpu-0").out()).contains("shop/train-1", "after 300s")
                .doesNotContain("shop/train-0");
        forbid("/pods");
        Result result = cluster.run("explain", "device", "n1/gpu-0");
        assertThat(result.err()).isEqualTo(
                "warning: not allowed to list pods in namespace shop: whether they run is not known\n");
        assertThat(result.out()).contains("for no pod that is known of PodGroup shop/gang.");
    }

    /** Of the cluster where the devices are nobody needs to know Clusters, or read Secrets. */
    @Test
    void the_cluster_of_the_context_is_meant_unless_another_one_is_named() throws IOException {
        LiveFixture.namespace(cluster.server, "fleet");
        for (String name : List.of("one", "other")) {
            cluster.server.create("clusters", Cluster.JSON.readTree(
                    "{\"metadata\":{\"namespace\":\"fleet\",\"name\":\"%s\"}}".formatted(name)));
        }
        forbid("/secrets");
        assertThat(cluster.run("device", "list", "-o", "name").out()).contains("gpu.example.com/n1/gpu-1");
        assertThat(cluster.run("explain", "device", "n1/gpu-1").exit()).isZero();
        assertThat(cluster.run("device", "list", "--cluster", "fleet/one").err())
                .contains("Error from server (Forbidden)");
        try (Cluster empty = new Cluster(folder.resolve("."), devices(Options.defaults()))) {
            Path file = Files.writeString(folder.resolve("home"), cluster.server.kubeconfig());
            assertThat(empty.run("device", "list").out()).isEqualTo("No ResourceSlice publishes a device.\n");
            for (String command : List.of("device list -o name", "explain device n1/gpu-1")) {
                Result result = empty.run((command + " --workload-kubeconfig " + file).split(" "));
                assertThat(result.out()).as(result.err()).contains("gpu.example.com/n1/gpu-1");
            }
        }
    }

    @Test
    void without_the_right_to_read_slices_there_is_no_answer() {
        forbid("/resourceslices");
        Result result = cluster.run("device", "list");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).startsWith("Error from server (Forbidden): not you\n").contains("auth can-i");
    }
}
