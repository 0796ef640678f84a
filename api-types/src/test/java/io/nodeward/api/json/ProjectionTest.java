package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProjectionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static final String NODE =
            """
                    {"kind":"Node","apiVersion":"v1","metadata":{"name":"n","uid":"u","resourceVersion":"42",
                     "labels":{"a":"1"},"annotations":{"b":"2"},"managedFields":[{"manager":"kubelet","fieldsV1":{"f:spec":{}}}]},
                     "spec":{"podCIDRs":["10.0.0.0/24"],"providerID":"aws:///z/i-1","taints":[
                       {"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05Z","future":{"x":[1.50,true,null]}},
                       {"key":"p","effect":"Strange"}]},
                     "status":{"images":[{"names":["i"]}],"conditions":[{"type":"Ready"}]}}""";

    @Test
    void a_node_keeps_what_rules_read_and_the_whole_text_of_its_taints() throws IOException {
        Node node = Projection.NODE.read(utf8(NODE));

        assertThat(node.key()).isEqualTo(ObjectKey.clusterScoped("n"));
        assertThat(node.metadata().uid()).isEqualTo("u");
        assertThat(node.metadata().resourceVersion()).isEqualTo("42");
        assertThat(node.metadata().labels()).isEqualTo(Map.of("a", "1"));
        assertThat(node.metadata().annotations()).isEqualTo(Map.of("b", "2"));
        assertThat(node.providerId()).isEqualTo("aws:///z/i-1");
        assertThat(node.taints()).containsExactly(
                new Taint("k", "v", "NoExecute",
                        "{\"key\":\"k\",\"value\":\"v\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\","
                                + "\"future\":{\"x\":[1.50,true,null]}}"),
                new Taint("p", "", "Strange", "{\"key\":\"p\",\"effect\":\"Strange\"}"));
    }

    @Test
    void equal_taints_of_many_nodes_are_one_object() throws IOException {
        assertThat(Projection.NODE.read(utf8(NODE)).taints().get(0))
                .isSameAs(Projection.NODE.read(utf8(NODE)).taints().get(0));
    }

    @Test
    void a_machine_reads_the_same_from_v1beta2_and_v1beta1() throws IOException {
        String shared =
                """
                        "metadata":{"name":"m","namespace":"ns","uid":"u","resourceVersion":"7","deletionTimestamp":"2026-01-01T00:00:00Z",
                          "ownerReferences":[{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineSet","name":"ms","uid":"o","controller":true}]},
                        "spec":{"clusterName":"c","providerID":"p","taints":[
                          {"key":"k","value":"v","effect":"NoSchedule","propagation":"Always"},
                          {"key":"o","effect":"NoExecute","propagation":"OnInitialization","later":{}}]},""";
        Machine beta2 = Projection.MACHINE.read(utf8("{\"apiVersion\":\"cluster.x-k8s.io/v1beta2\"," + shared
                + "\"status\":{\"nodeRef\":{\"name\":\"n\"},\"conditions\":[]}}"));
        Machine beta1 = Projection.MACHINE.read(utf8("{\"apiVersion\":\"cluster.x-k8s.io/v1beta1\"," + shared
                + "\"status\":{\"nodeRef\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n\",\"uid\":\"x\"}}}"));

        assertThat(beta2).isEqualTo(beta1);
        assertThat(beta2.cluster()).isEqualTo(new ObjectKey("ns", "c"));
        assertThat(beta2.nodeName()).isEqualTo("n");
        assertThat(beta2.metadata().deleting()).isTrue();
        assertThat(beta2.metadata().controller())
                .contains(new OwnerRef("cluster.x-k8s.io/v1beta2", "MachineSet", "ms", "o", true));
        assertThat(beta2.taints()).containsExactly(
                new MachineTaint("k", "v", "NoSchedule", "Always"),
                new MachineTaint("o", "", "NoExecute", "OnInitialization"));
    }

    @Test
    void parts_of_the_wrong_type_are_left_out_and_the_rest_is_read() throws IOException {
        Machine machine = Projection.MACHINE.read(
                utf8("""
                        {"metadata":{"name":"m","labels":[1],"annotations":"x","ownerReferences":{}},"status":null,
                         "spec":{"clusterName":{"a":1},"providerID":5,"taints":[{"key":["x"],"effect":null},"text",{"key":"ok","effect":"NoSchedule","propagation":"Always"}]}}"""));

        assertThat(machine.key().name()).isEqualTo("m");
        assertThat(machine.clusterName()).isEmpty();
        assertThat(machine.providerId()).isEqualTo("5");
        assertThat(machine.taints()).contains(new MachineTaint("ok", "", "NoSchedule", "Always")).hasSize(3);
        assertThatThrownBy(() -> Projection.MACHINE.read(utf8("[]"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Projection.MACHINE.read(utf8("{\"metadata\":{"))).isInstanceOf(IOException.class);
    }

    @Test
    void labels_and_annotations_of_a_machine_are_known_whole_or_not_at_all() throws IOException {
        String whole = "{\"metadata\":{\"name\":\"m\",\"labels\":{\"a\":\"%s\"},\"annotations\":{\"b\":\"%s\","
                + "\"cluster.x-k8s.io/paused\":\"yes\"}},\"spec\":{\"providerID\":\"p\"}}";
        int fixed = "a".length() + "b".length() + "cluster.x-k8s.io/paused".length() + "yes".length();
        String half = "x".repeat(30_000);
        Machine known = Projection.MACHINE.read(
                utf8(whole.formatted(half, "x".repeat(Machine.MOST_CHARACTERS - fixed - half.length()))));
        assertThat(known.truncatedFields()).isEmpty();
        assertThat(known.metadata().labels()).containsKey("a");
        Machine truncated = Projection.MACHINE.read(
                utf8(whole.formatted(half, "x".repeat(Machine.MOST_CHARACTERS - fixed - half.length() + 1))));
        assertThat(truncated.truncatedFields()).containsExactly("metadata.annotations");
        assertThat(truncated.metadata().labels()).isEmpty();
        assertThat(truncated.metadata().annotations()).containsExactly(Map.entry("cluster.x-k8s.io/paused", "yes"));
        assertThat(truncated.providerId()).isEqualTo("p");
        assertThat(truncated.withResourceVersion("8").truncatedFields()).isEqualTo(truncated.truncatedFields());
    }

    @Test
    void of_objects_that_tenants_make_no_label_and_no_annotation_is_kept_that_nobody_reads() throws IOException {
        byte[] object = utf8("""
                {"metadata":{"name":"o","namespace":"ns","uid":"u","resourceVersion":"7","labels":{"l":"x"},
                  "annotations":{"a":"x"},"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]},
                 "spec":{"devices":[]},"status":{}}""");
        Metadata kept = new Metadata(new ObjectKey("ns", "o"), "u", "7", Map.of(), Map.of(), List.of(), false);
        for (Projection<?> projection : List.of(Projection.IDENTITY, Projection.PLACED_POD, ResourceSlice.PROJECTION,
                ResourceClaim.PROJECTION, DeviceClass.PROJECTION, ClaimedClasses.OF_CLAIM, ClaimedClasses.OF_TEMPLATE,
                DaemonTemplate.PROJECTION)) {
            assertThat(projection.read(object).metadata()).isEqualTo(kept);
        }
    }

    @Test
    void of_a_longer_list_than_api_servers_store_so_much_is_kept_that_the_object_can_say_so() throws IOException {
        String devices = IntStream.range(0, 1000).mapToObj(i -> "{\"name\":\"d" + i + "\"}")
                .collect(Collectors.joining(","));
        ResourceSlice slice = ResourceSlice.PROJECTION.read(
                utf8("{\"spec\":{\"driver\":\"x\",\"pool\":{\"name\":\"p\"},\"devices\":[" + devices + "]}}"));
        assertThat(slice.devices()).hasSize(257);
        assertThat(slice.truncatedFields()).containsExactly("spec.devices");
        String pods = IntStream.range(0, 1000)
                .mapToObj(i -> "{\"resource\":\"pods\",\"name\":\"p" + i + "\",\"uid\":\"u\"}")
                .collect(Collectors.joining(","));
        assertThat(
                ResourceClaim.PROJECTION.read(utf8("{\"status\":{\"reservedFor\":[" + pods + "]}}")).truncatedFields())
                .containsExactly("status.reservedFor");
    }

    @Test
    void parts_nobody_reads_may_be_as_deep_and_as_long_as_a_server_stores() throws IOException {
        String deep = "{\"a\":".repeat(50_000) + "1" + "}".repeat(50_000);
        String name = "n".repeat(1_000_000);
        Cluster cluster =
                Projection.CLUSTER.read(utf8("{\"spec\":{\"variables\":" + deep + ",\"" + name + "\":\"" + name
                        + "\",\"number\":" + "1".repeat(100_000) + ",\"paused\":true},\"metadata\":{\"name\":\"c\"}}"));

        assertThat(cluster.key().name()).isEqualTo("c");
        assertThat(cluster.paused()).isTrue();
    }

    @Test
    void cluster_and_secret_are_read() throws IOException {
        Cluster cluster = Projection.CLUSTER
                .read(utf8("{\"metadata\":{\"name\":\"c\"},\"spec\":{\"paused\":true,\"topology\":{}}}"));
        assertThat(cluster.paused()).isTrue();
        KubeconfigSecret secret = Projection.KUBECONFIG_SECRET.read(
                utf8("{\"metadata\":{\"name\":\"s\"},\"type\":\"cluster.x-k8s.io/secret\",\"data\":{\"value\":\"aGVsbG8=\",\"other\":\"x\"}}"));
        assertThat(secret.value()).isEqualTo("hello");
        assertThat(secret.toString()).doesNotContain("hello");
        assertThat(Projection.KUBECONFIG_SECRET.read(utf8("{\"data\":{\"value\":\"%\"}}")).value()).isEmpty();
    }

    @Test
    void a_patch_holds_the_precondition_the_whole_taint_list_and_only_what_differs() throws IOException {
        Node node = Projection.NODE.read(utf8(NODE));
        TreeMap<String, Optional<String>> labels =
                new TreeMap<>(Map.of("new", Optional.of("1"), "old", Optional.empty()));
        NodeChange change = new NodeChange(
                "n", "42", Optional.of(List.of(node.taints().get(0), Taint.of("mine", "", "NoSchedule"))), labels,
                new TreeMap<>());

        JsonNode patch = MAPPER.readTree(Bodies.mergePatch(change));

        assertThat(patch).isEqualTo(MAPPER.readTree(
                """
                        {"metadata":{"resourceVersion":"42","labels":{"new":"1","old":null}},"spec":{"taints":[
                         {"key":"k","value":"v","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05Z","future":{"x":[1.50,true,null]}},
                         {"key":"mine","effect":"NoSchedule"}]}}"""));
        assertThat(new String(Bodies.mergePatch(change), StandardCharsets.UTF_8)).contains(node.taints().get(0).json());
        assertThat(change.applyTo(node, "43").metadata().labels()).isEqualTo(Map.of("a", "1", "new", "1"));
    }

    @Test
    void an_emptied_taint_list_is_removed_by_null() throws IOException {
        NodeChange change = new NodeChange("n", "1", Optional.of(List.of()), new TreeMap<>(), new TreeMap<>());

        assertThat(MAPPER.readTree(Bodies.mergePatch(change)))
                .isEqualTo(MAPPER.readTree("{\"metadata\":{\"resourceVersion\":\"1\"},\"spec\":{\"taints\":null}}"));
    }

    @Test
    void a_taint_that_needs_escaping_cannot_be_made() {
        assertThatThrownBy(() -> Taint.of("a\"b", "", "NoSchedule")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Taint.of("a", "b\\", "NoSchedule")).isInstanceOf(IllegalArgumentException.class);
        assertThat(Taint.of("a", "b", "NoSchedule").json())
                .isEqualTo("{\"key\":\"a\",\"value\":\"b\",\"effect\":\"NoSchedule\"}");
    }
}
