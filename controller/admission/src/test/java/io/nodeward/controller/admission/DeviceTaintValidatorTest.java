package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.rules.validation.Enforcement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DeviceTaintValidatorTest extends AdmissionFixture {
    private static final String GOOD = rule("example.com/hot", "device.driver == \\\"gpu.example.com\\\"");
    private static final String BAD = rule("example.com/hot", "device.name == \\\"x\\\"");

    private final DeviceTaintValidator<?> validator = DeviceTaintValidator.ofRules(Enforcement.Enforce, false);

    @Test
    void a_rule_that_can_be_evaluated_is_stored() throws IOException {
        assertThat(ask(validator, GOOD, "null")).isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void an_expression_that_does_not_compile_is_refused_with_its_field() throws IOException {
        AdmissionResponse answer = ask(validator, BAD, "null");
        assertThat(answer.isAllowed()).isFalse();
        assertThat(answer.message()).startsWith("spec.deviceSelector.selectors[0].cel.expression: Invalid value: ")
                .contains("undefined field 'name'");
    }

    @Test
    void lists_are_asked_where_the_cluster_has_them() throws IOException {
        String list = rule("example.com/hot", "device.attributes[\\\"d\\\"].a.includes(1)");
        assertThat(ask(validator, list, "null").isAllowed()).isFalse();
        assertThat(ask(DeviceTaintValidator.ofRules(Enforcement.Enforce, true), list, "null").isAllowed()).isTrue();
    }

    @Test
    void all_faults_are_told_together() throws IOException {
        assertThat(ask(validator, rule("kubernetes.io/x", "1"), "null").message())
                .contains("must evaluate to bool", "; spec.taint.key: ");
    }

    @Test
    void a_key_without_a_domain_is_warned_of_when_it_is_new() throws IOException {
        AdmissionResponse answer = ask(validator, rule("hot", "true"), "null");
        assertThat(answer.isAllowed()).isTrue();
        assertThat(answer.warnings()).singleElement().asString().startsWith("spec.taint.key: hot has no domain");
        assertThat(ask(validator, rule("hot", "false"), rule("hot", "true")).warnings()).isEmpty();
        assertThat(ask(validator, rule("cold", "true"), rule("hot", "true")).warnings()).hasSize(1);
        assertThat(ask(validator, rule("hot", "tru"), "null").warnings()).hasSize(1);
    }

    @Test
    void a_fault_that_is_stored_keeps_nobody_from_changing_the_rest() throws IOException {
        assertThat(ask(validator, BAD, BAD).isAllowed()).isTrue();
        assertThat(ask(validator, BAD.replace("example.com/hot", "example.com/cold"), BAD).isAllowed()).isTrue();
        assertThat(ask(validator, BAD, GOOD).isAllowed()).isFalse();
        AdmissionResponse second = ask(validator, BAD.replace("example.com/hot", "kubernetes.io/hot"), BAD);
        assertThat(second.message()).startsWith("spec.taint.key: ").doesNotContain("expression");
    }

    @Test
    void enforcement_is_as_for_the_taints_of_nodes() throws IOException {
        AdmissionResponse warned = ask(DeviceTaintValidator.ofRules(Enforcement.Warn, false), BAD, "null");
        assertThat(warned.isAllowed()).isTrue();
        assertThat(warned.warnings()).singleElement().asString().contains("undefined field 'name'");
        assertThat(ask(DeviceTaintValidator.ofRules(Enforcement.Off, false), BAD, "null"))
                .isEqualTo(AdmissionResponse.allowed());
    }

    @Test
    void with_the_gate_on_api_servers_ask_about_all_rules_whatever_the_watch_filter_selects() throws IOException {
        start(new AdmissionModule(config(), true, true, false), "team", false);
        ObjectNode configuration = (ObjectNode) made(WEBHOOKS, NAME + "-team");
        JsonNode webhook = configuration.at("/webhooks/1");

        assertThat(webhook.path("name").asText()).isEqualTo("device-taint-rules.nodeward.io");
        assertThat(webhook.path("objectSelector")).isEmpty();
        assertThat(webhook.at("/rules/0/resources")).extracting(JsonNode::asText).containsExactly("devicetaintrules");
        ((ArrayNode) configuration.path("webhooks")).remove(2);
        ((ArrayNode) configuration.path("webhooks")).remove(0);
        assertThat(Caller.review(configuration, request(rule("a", "1"), "null")).path("allowed").asBoolean()).isFalse();
        assertThat(Caller.review(configuration, request(GOOD, "null")).path("allowed").asBoolean()).isTrue();
        assertThat(meters.get("nodeward.admission.reviews").tag("kind", "DeviceTaintRule").tag("verdict", "refused")
                .counter().count()).isOne();
    }

    @Test
    void with_the_gate_off_they_do_not_and_a_webhook_of_an_earlier_start_goes() {
        Runnable end = start(new AdmissionModule(config(), true, true, false), "", false);
        assertThat(made(WEBHOOKS, NAME).path("webhooks")).hasSize(3);
        end.run();
        start(new AdmissionModule(config(), true, false, false), "", false);
        passUntil(() -> made(WEBHOOKS, NAME).path("webhooks").size() == 1);
        assertThat(made(WEBHOOKS, NAME).at("/webhooks/0/name").asText()).isEqualTo("machine-taints.nodeward.io");
    }

    @Test
    void a_taint_slice_is_stored_unless_it_has_a_fault_that_is_new() throws IOException {
        DeviceTaintValidator<?> slices = DeviceTaintValidator.ofTaintSlices(Enforcement.Enforce);
        String good = slice("gpu-0", "example.com/hot");
        String bad = slice("gpu-0", "kubernetes.io/hot");
        assertThat(ask(slices, good, "null")).isEqualTo(AdmissionResponse.allowed());
        assertThat(ask(slices, bad, "null").message())
                .startsWith("spec.taints[0].taint.key: Invalid value: \"kubernetes.io/hot\"");
        assertThat(ask(slices, slice("gpu-1", "kubernetes.io/hot"), bad).isAllowed()).isTrue();
        assertThat(ask(slices, bad, good).isAllowed()).isFalse();
        assertThat(ask(slices, slice("gpu-0", "hot"), "null").warnings()).singleElement().asString()
                .startsWith("spec.taints[].taint.key: hot has no domain");
        assertThat(ask(DeviceTaintValidator.ofTaintSlices(Enforcement.Warn), bad, "null").warnings()).hasSize(1);
    }

    @Test
    void with_the_gate_on_api_servers_ask_about_taint_slices_too() {
        start(new AdmissionModule(config(), true, true, false), "", false);
        JsonNode webhook = made(WEBHOOKS, NAME).at("/webhooks/2");
        assertThat(webhook.path("name").asText()).isEqualTo("device-taint-slices.nodeward.io");
        assertThat(webhook.at("/rules/0/resources")).extracting(JsonNode::asText).containsExactly("devicetaintslices");
    }

    private static String slice(String device, String key) {
        return "{'spec':{'driver':'gpu.example.com','pool':'node-1','taints':[{'device':'" + device
                + "','taint':{'key':'" + key + "','effect':'None'}}]}}";
    }

    private static String rule(String key, String expression) {
        return "{'spec':{'deviceSelector':{'selectors':[{'cel':{'expression':'" + expression
                + "'}}]},'taint':{'key':'" + key + "','effect':'None'}}}";
    }

    private static String request(String now, String before) {
        return "{'uid':'u','kind':{'group':'nodeward.io','version':'v1alpha1','kind':'DeviceTaintRule'},'operation':'"
                + (before.equals("null") ? "CREATE" : "UPDATE") + "','object':" + now + ",'oldObject':" + before + "}";
    }

    private static AdmissionResponse ask(DeviceTaintValidator<?> validator, String now, String before)
            throws IOException {
        String review = "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':" + request(now, before)
                + "}";
        return validator.handle(AdmissionReviews.read(
                review.replace('\'', '"').getBytes(StandardCharsets.UTF_8), AdmissionReviews.shape(Shape.WHOLE)));
    }
}
