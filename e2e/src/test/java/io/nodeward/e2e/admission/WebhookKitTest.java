package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.REGISTRATION;
import static io.nodeward.e2e.admission.AdmissionSuite.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Ports;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A real API server asks a mutating and a validating webhook on two paths of one server, and applies admission policies of
 * both kinds with parameters.
 */
class WebhookKitTest {
    private static final String CORE = "/api/v1/namespaces/default/";
    private static final String PODS = CORE + "pods";

    private static ControlPlane controlPlane;
    private static AdminClient jane;
    private static int port;
    private static PodComponent component;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
        AdminClient admin = controlPlane.admin();
        admin.create("/api/v1/namespaces", Json.parse("{\"metadata\":{\"name\":\"nodeward-system\"}}"));
        admin.createIfAbsent(CORE + "serviceaccounts", Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
        admin.create(CORE + "configmaps", Json.parse(
                "{\"metadata\":{\"name\":\"mutate\"},\"data\":{\"zone\":\"z-1\"}}"));
        admin.create(CORE + "configmaps", Json
                .parse("""
                        {"metadata":{"name":"guard","labels":{"nodeward.io/guard":"yes"}},"data":{"reserved":"reserved-a"}}"""));
        jane = new AdminClient(controlPlane.kubeconfigForUser("jane", List.of("tenants", "system:masters")));
        port = Ports.free();
        component = PodComponent.start(controlPlane, port);
        soon().until(() -> component.isInForce());
        // API servers learn of a registration through watches of their own.
        soon().until(() -> {
            JsonNode pod = offered("probe", "").body();
            return pod.at("/spec/tolerations").toString().contains("dedicated")
                    && pod.at("/metadata/annotations").has("nodeward.io/zone")
                    && offered("refuse-me", "").code() == 403 && offered("reserved-a", "").code() == 422;
        });
    }

    @AfterAll
    static void stop() {
        component.close();
        jane.close();
        controlPlane.close();
    }

    private static AdminClient.Reply offered(String name, String spec) {
        return post("?dryRun=All", name, spec);
    }

    private static AdminClient.Reply post(String query, String name, String spec) {
        return jane.send("POST", PODS + query, AdminClient.JSON, """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
                 "spec":{"automountServiceAccountToken":false,"containers":[{"name":"c","image":"i"%s}]}}"""
                .formatted(name, spec));
    }

    @Test
    void a_patch_is_applied_and_its_warning_reaches_the_caller_and_the_validating_webhook_sees_the_result() {
        AdminClient.Reply reply = post("", "patched", "");

        assertThat(reply.code()).as("%s", reply.body()).isEqualTo(201);
        assertThat(reply.body().at("/spec/tolerations").valueStream())
                .contains(Json.tree(Map.of("key", "dedicated", "operator", "Equal", "value", "banana", "effect",
                        "NoExecute", "tolerationSeconds", 1L << 40)));
        assertThat(reply.warnings()).singleElement().asString().contains("toleration added for jane");
        assertThat(reply.body().at("/metadata/annotations/nodeward.io~1zone").asText()).isEqualTo("z-1");
        AdmissionRequest seen = component.validated("patched", "CREATE");
        assertThat(seen.object().at(List.of("spec", "tolerations")).elements())
                .anyMatch(toleration -> toleration.at("value").string().equals("banana"));
        assertThat(seen.object().at(List.of("metadata", "annotations", "nodeward.io/zone")).string()).isEqualTo("z-1");
    }

    @Test
    void who_asks_for_what_is_known_of_creations_updates_deletions_bindings_and_dry_runs() {
        post("", "asked", "");
        AdmissionRequest created = component.validated("asked", "CREATE");
        assertThat(created.userInfo().username()).isEqualTo("jane");
        assertThat(created.userInfo().groups()).contains("tenants", "system:authenticated");
        assertThat(created.namespace()).isEqualTo("default");
        assertThat(created.kind()).isEqualTo(new AdmissionRequest.GroupVersionKind("", "v1", "Pod"));
        assertThat(created.resource()).isEqualTo(new AdmissionRequest.GroupVersionResource("", "v1", "pods"));
        assertThat(created.subresource()).isEmpty();
        assertThat(created.dryRun()).isFalse();
        assertThat(created.oldObject().type()).isEqualTo("null");

        jane.mergePatch(PODS + "/asked", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        AdmissionRequest updated = component.validated("asked", "UPDATE");
        assertThat(updated.object().at(List.of("metadata", "labels", "a")).string()).isEqualTo("b");
        assertThat(updated.oldObject().at(List.of("metadata", "name")).string()).isEqualTo("asked");
        assertThat(updated.oldObject().at(List.of("metadata", "labels")).type()).isEqualTo("null");

        AdminClient.Reply bound = jane.send("POST", PODS + "/asked/binding", AdminClient.JSON,
                "{\"metadata\":{\"name\":\"asked\"},\"target\":{\"kind\":\"Node\",\"name\":\"n\"}}");
        assertThat(bound.code()).isEqualTo(403);
        assertThat(bound.body().path("message").asText()).contains("validate.kit.nodeward.io", "jane may not bind");
        assertThat(component.validated("asked", "CREATE").subresource()).isEqualTo("binding");

        jane.delete(PODS + "/asked?gracePeriodSeconds=0");
        AdmissionRequest deleted = component.validated("asked", "DELETE");
        assertThat(deleted.object().type()).isEqualTo("null");
        assertThat(deleted.oldObject().at(List.of("metadata", "name")).string()).isEqualTo("asked");

        offered("dry", "");
        assertThat(component.validated("dry", "CREATE").dryRun()).isTrue();
    }

    @Test
    void a_refusal_has_the_code_the_reason_and_the_message_of_the_webhook_and_nothing_is_stored() {
        AdminClient.Reply reply = post("", "refuse-me", "");
        assertThat(reply.code()).isEqualTo(403);
        assertThat(reply.reason()).isEqualTo("Forbidden");
        assertThat(reply.body().path("message").asText())
                .isEqualTo("admission webhook \"validate.kit.nodeward.io\" denied the request: not this one, jane");
        assertThat(jane.find(PODS + "/refuse-me")).isEmpty();
    }

    @Test
    void policies_follow_their_parameters() {
        assertThat(offered("reserved-a", "").body().path("message").asText())
                .contains("nodeward-kit-guard", "reserved-a is reserved");
        jane.mergePatch(CORE + "configmaps/mutate", "{\"data\":{\"zone\":\"z-2\"}}");
        soon().until(() -> offered("p", "").body().at("/metadata/annotations/nodeward.io~1zone").asText()
                .equals("z-2"));
        jane.mergePatch(CORE + "configmaps/mutate", "{\"data\":{\"zone\":\"z-1\"}}");
        jane.create(CORE + "configmaps", Json
                .parse("""
                        {"metadata":{"name":"guard-b","labels":{"nodeward.io/guard":"yes"}},"data":{"reserved":"reserved-b"}}"""));
        soon().until(() -> offered("reserved-b", "").code() == 422 && offered("reserved-a", "").code() == 422);
        soon().until(() -> offered("p", "").body().at("/metadata/annotations/nodeward.io~1zone").asText()
                .equals("z-1"));
    }

    @Test
    void a_review_that_is_too_long_or_has_too_many_values_is_refused_although_failures_are_ignored() {
        AdminClient.Reply tooLong = offered("long", ",\"env\":[{\"name\":\"A\",\"value\":\"%s\"}]"
                .formatted("<".repeat(800_000)));
        assertThat(tooLong.code()).as("%s", tooLong.body()).isEqualTo(413);
        assertThat(tooLong.body().path("message").asText()).hasSizeLessThan(1_000)
                .contains("mutate.kit.nodeward.io", "longer than 4194304 bytes");

        AdminClient.Reply tooMany = offered("many", "}],\"tolerations\":[%s{\"operator\":\"Exists\"".formatted(
                "{},".repeat(150_000)));
        assertThat(tooMany.code()).as("%s", tooMany.body()).isEqualTo(400);
        assertThat(tooMany.body().path("message").asText()).hasSizeLessThan(1_000)
                .containsPattern("mutate.kit.nodeward.io.*the AdmissionReview cannot be read: more than \\d+ values");
        assertThat(offered("good", "").isOk()).isTrue();
    }

    @Test
    void what_the_server_adds_to_what_was_registered_is_no_reason_to_write_it_again() {
        List<JsonNode> before = registered();
        assertThat(before).hasSize(6);
        component.close();
        component = PodComponent.start(controlPlane, port);
        soon().until(() -> component.isInForce());
        assertThat(registered()).isEqualTo(before);
    }

    private static List<JsonNode> registered() {
        return List.of("mutatingwebhookconfigurations/nodeward-kit", "validatingwebhookconfigurations/nodeward-kit",
                "mutatingadmissionpolicies/nodeward-kit-zone", "mutatingadmissionpolicybindings/nodeward-kit-zone",
                "validatingadmissionpolicies/nodeward-kit-guard",
                "validatingadmissionpolicybindings/nodeward-kit-guard")
                .stream().map(path -> jane.get(REGISTRATION + path)).toList();
    }
}
