package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.MACHINES;
import static io.nodeward.e2e.admission.AdmissionSuite.WEBHOOK;
import static io.nodeward.e2e.admission.AdmissionSuite.machine;
import static io.nodeward.e2e.admission.AdmissionSuite.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.crd.ShippedCrds;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real API server asks the controller before it stores. */
class WebhookTest {
    private static final String RESERVED = "node.cluster.x-k8s.io/uninitialized:NoSchedule";
    private static final String OLD = MACHINES + "/old";
    private static final String GOING = MACHINES + "/going";

    /** The account has the rights that admission needs, and no others. */
    private static final String WITHOUT_DEVICES = "--controllers=*,-devices";

    private static AdmissionSuite suite;
    private static RunningAdmission nodeward;

    @BeforeAll
    static void start() {
        suite = new AdmissionSuite(Stream.concat(
                DeclaringCrds.all().stream(), Stream.of(ShippedCrds.own("devicetaintrules"))).toList());
        suite.admin().create(MACHINES, machine("old", RESERVED, "example.com/a:NoSchedule"));
        ObjectNode going = machine("going", RESERVED);
        going.withObject("/metadata").putArray("finalizers").add("nodeward.io/test");
        suite.admin().create(MACHINES, going);
        nodeward = RunningAdmission.start(suite.kubeconfig(), "DeviceTaints=true", WITHOUT_DEVICES);
        awaitInForce();
    }

    private static void awaitInForce() {
        soon().until(() -> !offered(RESERVED).isOk());
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    private static AdminClient.Reply offered(String taint) {
        return suite.offered(MACHINES, machine("new", taint));
    }

    @Test
    void what_no_node_takes_is_refused_with_the_field_and_the_reason() {
        AdminClient.Reply reply = offered("Foo.com/x:NoSchedule");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("machine-taints.nodeward.io", "spec.taints[0].key",
                "no Node accepts it");
        assertThat(offered(RESERVED).body().path("message").asText()).contains("managed by Cluster API itself");
        assertThat(nodeward.metric("nodeward_admission_reviews_total{kind=\"Machine\",verdict=\"refused\""))
                .isPositive();
    }

    @Test
    void kubeadms_key_is_taken_and_a_lifecycle_key_with_a_warning_that_its_writer_sees() {
        assertThat(offered("node-role.kubernetes.io/control-plane:NoSchedule").isOk()).isTrue();
        assertThat(offered("node-role.kubernetes.io/control-plane:NoSchedule").warnings()).isEmpty();

        AdminClient.Reply reply = offered("node.kubernetes.io/not-ready:NoExecute");
        assertThat(reply.isOk()).isTrue();
        assertThat(reply.warnings()).singleElement().asString().contains("not-ready", "another controller");
        assertThat(nodeward.metric("nodeward_admission_reviews_total{kind=\"Machine\",verdict=\"warned\""))
                .isPositive();
    }

    @Test
    void what_is_stored_already_is_in_nobodys_way() {
        suite.admin().mergePatch(OLD, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        suite.admin().mergePatch(OLD, "{\"spec\":{\"version\":\"v1.36.0\"}}");
        assertThat(patched(AdmissionSuite.list(RESERVED)).isOk()).isTrue();
        assertThat(patched(AdmissionSuite.list(RESERVED, "a-:NoSchedule")).code()).isEqualTo(422);
        assertThat(patched(AdmissionSuite.list(RESERVED.replace("NoSchedule", "NoExecute"))).code()).isEqualTo(422);
    }

    private static AdminClient.Reply patched(String taints) {
        return suite.admin().send("PATCH", OLD + "?dryRun=All", AdminClient.MERGE_PATCH,
                "{\"spec\":{\"taints\":" + taints + "}}");
    }

    @Test
    void a_device_rule_whose_expression_has_no_meaning_is_refused_with_its_place() {
        AdminClient.Reply reply = deviceRule("example.com/hot", "device.name == 'gpu-0'");

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("device-taint-rules.nodeward.io",
                "spec.deviceSelector.selectors[0].cel.expression", "1:7: undefined field 'name'");
        AdminClient.Reply good = deviceRule("hot", "device.driver == 'gpu.example.com'");
        assertThat(good.isOk()).as("%s", good.body()).isTrue();
        assertThat(good.warnings()).singleElement().asString().contains("hot has no domain");
    }

    private static AdminClient.Reply deviceRule(String key, String expression) {
        return suite.offered("/apis/nodeward.io/v1alpha1/devicetaintrules", Json.tree(Map.of(
                "apiVersion", "nodeward.io/v1alpha1", "kind", "DeviceTaintRule", "metadata", Map.of("name", "hot"),
                "spec", Map.of("taint", Map.of("key", key, "effect", "None"), "deviceSelector",
                        Map.of("selectors", List.of(Map.of("cel", Map.of("expression", expression))))))));
    }

    @Test
    void what_is_being_deleted_can_go() {
        suite.admin().delete(GOING);
        suite.admin().mergePatch(GOING, "{\"spec\":{\"taints\":%s}}".formatted(AdmissionSuite.list("a-:NoSchedule")));
        suite.admin().mergePatch(GOING, "{\"metadata\":{\"finalizers\":null}}");
        assertThat(suite.admin().find(GOING)).isEmpty();
    }

    @Test
    void a_configuration_that_is_changed_or_deleted_comes_back() {
        JsonNode before = suite.admin().get(WEBHOOK).path("webhooks");
        suite.admin().jsonPatch(WEBHOOK, """
                [{"op":"replace","path":"/webhooks/0/rules/0/resources","value":["clusters"]},
                 {"op":"remove","path":"/webhooks/0/clientConfig/caBundle"}]""");
        soon().until(() -> suite.admin().get(WEBHOOK).path("webhooks").equals(before));
        suite.admin().delete(WEBHOOK);
        soon().until(() -> suite.admin().find(WEBHOOK).map(c -> c.path("webhooks").equals(before)).orElse(false));
        awaitInForce();
    }

    @Test
    void while_the_controller_is_down_writes_pass_and_afterwards_they_are_judged_again() {
        nodeward.close();
        assertThat(offered(RESERVED).isOk()).isTrue();
        assertThat(suite.admin().find(WEBHOOK)).isPresent();
        nodeward = RunningAdmission.start(suite.kubeconfig(), "DeviceTaints=true", WITHOUT_DEVICES);
        awaitInForce();
    }
}
