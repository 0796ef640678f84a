package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.ObjectKey;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WebhookControllerTest extends WebhookFixture {
    private static final String MUTATING = "mutatingwebhookconfigurations";
    private static final String VALIDATING = "validatingwebhookconfigurations";

    private final BlockingQueue<AdmissionRequest> seen = new LinkedBlockingQueue<>();

    @Test
    void one_server_answers_a_mutating_and_a_validating_webhook_each_on_its_path() throws Exception {
        start(AdmissionRegistration.of(OBJECTS, serving(), true).withWebhooks(List.of(
                webhook(AdmissionPhase.VALIDATING, "/validate", request -> {
                    seen.add(request);
                    return AdmissionResponse.forbidden("not " + request.userInfo().username())
                            .withWarnings(List.of("ask first"));
                }),
                webhook(AdmissionPhase.MUTATING, "/mutate", request -> AdmissionResponse.allowed()
                        .withPatch(JsonPatch.EMPTY.add(List.of("spec", "tolerations"), Tree.of(List.of()))))))
                .withCounted(List.of(new GroupKind("", "Pod"))));

        try (ReviewClient mutating = new ReviewClient(made(MUTATING, NAME));
                ReviewClient validating = new ReviewClient(made(VALIDATING, NAME))) {
            JsonNode mutated = mutating.review(POD);
            assertThat(mutated.path("allowed").asBoolean()).isTrue();
            assertThat(mutated.path("patchType").asText()).isEqualTo("JSONPatch");
            assertThat(new String(Base64.getDecoder().decode(mutated.path("patch").asText()), StandardCharsets.UTF_8))
                    .isEqualTo("[{\"op\":\"add\",\"path\":\"/spec/tolerations\",\"value\":[]}]");
            assertThat(validating.review(POD)).isEqualTo(json("""
                    {'uid':'u','allowed':false,'status':{'code':403,'reason':'Forbidden','message':'not jane'},
                     'warnings':['ask first']}"""));
        }
        assertThat(seen).singleElement().satisfies(request -> {
            assertThat(request.userInfo().groups()).containsExactly("tenants");
            assertThat(request.namespace()).isEqualTo("n");
            assertThat(request.resource().resource()).isEqualTo("pods");
            assertThat(request.object().at(List.of("metadata", "name")).string()).isEqualTo("p");
        });
        assertThat(reviews("Pod", "allowed")).isOne();
        assertThat(reviews("Pod", "refused")).isOne();
    }

    private double reviews(String kind, String verdict) {
        return meters.get("nodeward.test.reviews").tag("kind", kind).tag("verdict", verdict).counter().count();
    }

    @Test
    void each_configuration_has_the_webhooks_of_its_phase_with_defaults_and_what_they_say_themselves() {
        Webhook strict = new Webhook(AdmissionPhase.VALIDATING, "b.test.nodeward.io", "/b",
                io.nodeward.api.admission.Shape.WHOLE, request -> AdmissionResponse.allowed(),
                Map.of("rules", PODS, "failurePolicy", "Ignore", "timeoutSeconds", 1, "namespaceSelector",
                        Map.of("matchLabels", Map.of("a", "b"))));
        start(AdmissionRegistration.of(OBJECTS, serving(), true).withWebhooks(
                List.of(allowing(AdmissionPhase.MUTATING, "/m"), allowing(AdmissionPhase.VALIDATING, "/a"), strict)));

        assertThat(made(MUTATING, NAME).path("webhooks")).hasSize(1);
        JsonNode webhooks = made(VALIDATING, NAME).path("webhooks");
        assertThat(webhooks).hasSize(2);
        JsonNode first = webhooks.get(0);
        assertThat(first.path("name").asText()).isEqualTo("a.test.nodeward.io");
        assertThat(first.path("failurePolicy").asText()).isEqualTo("Fail");
        assertThat(first.path("matchPolicy").asText()).isEqualTo("Equivalent");
        assertThat(first.path("sideEffects").asText()).isEqualTo("None");
        assertThat(first.path("timeoutSeconds").asInt()).isEqualTo(3);
        assertThat(first.at("/clientConfig/url").asText()).endsWith("/a");
        assertThat(webhooks.get(1).path("timeoutSeconds").asInt()).isEqualTo(1);
        assertThat(webhooks.get(1).at("/namespaceSelector/matchLabels/a").asText()).isEqualTo("b");
        assertThat(made(MUTATING, NAME).at("/webhooks/0/clientConfig/caBundle"))
                .isEqualTo(first.at("/clientConfig/caBundle"));
        quiet.passUntil(() -> meters.get("nodeward.test.in.force").gauge().value() == 1);
    }

    @Test
    void a_changed_or_deleted_configuration_comes_back_and_one_of_a_phase_without_webhooks_goes() throws Exception {
        ServingOptions serving = serving();
        AdmissionRegistration both = AdmissionRegistration.of(OBJECTS, serving, true).withWebhooks(
                List.of(allowing(AdmissionPhase.MUTATING, "/m"), allowing(AdmissionPhase.VALIDATING, "/v")));
        start(both);
        JsonNode before = made(MUTATING, NAME).path("webhooks");
        made(VALIDATING, NAME);
        server.mergePatch(MUTATING, "", NAME, json("{'webhooks':[]}"));
        quiet.passUntil(() -> made(MUTATING, NAME).path("webhooks").equals(before));
        server.delete(MUTATING, "", NAME);
        assertThat(made(MUTATING, NAME).path("webhooks")).isEqualTo(before);
        stop();

        start(AdmissionRegistration.of(OBJECTS, serving, true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        quiet.passUntil(() -> server.list(MUTATING).isEmpty());
        assertThat(made(VALIDATING, NAME).path("webhooks")).hasSize(1);
    }

    @Test
    void webhooks_may_come_change_and_go_while_it_runs() throws Exception {
        AtomicReference<List<Webhook>> wanted =
                new AtomicReference<>(List.of(allowing(AdmissionPhase.VALIDATING, "/v")));
        AtomicReference<Runnable> changed = new AtomicReference<>(() -> {});
        start(AdmissionRegistration.of(OBJECTS, serving(), true).withWebhooks(wanted::get)
                .withInputs((known, onChange) -> {
                    changed.set(onChange);
                    known.run();
                }));
        made(VALIDATING, NAME);

        wanted.set(List.of(webhook(AdmissionPhase.MUTATING, "/m", request -> AdmissionResponse.forbidden("new"))));
        changed.get().run();
        try (ReviewClient client = new ReviewClient(made(MUTATING, NAME))) {
            assertThat(client.review(POD).at("/status/message").asText()).isEqualTo("new");
            quiet.passUntil(() -> server.list(VALIDATING).isEmpty());

            wanted.set(
                    List.of(webhook(AdmissionPhase.MUTATING, "/m", request -> AdmissionResponse.forbidden("newer"))));
            changed.get().run();
            quiet.await();
            assertThat(client.review(POD).at("/status/message").asText()).isEqualTo("newer");
        }
        server.delete(MUTATING, "", NAME);
        made(MUTATING, NAME);
    }

    @Test
    void a_configuration_of_somebody_else_keeps_the_component_out_of_force_and_not_the_other_phase() throws Exception {
        JsonNode theirs = server.create(MUTATING, json("{'metadata':{'name':'nodeward-test'},'webhooks':[]}"));
        start(AdmissionRegistration.of(OBJECTS, serving(), true).withWebhooks(
                List.of(allowing(AdmissionPhase.MUTATING, "/m"), allowing(AdmissionPhase.VALIDATING, "/v"))));
        made(VALIDATING, NAME);
        quiet.await();

        assertThat(server.get(MUTATING, "", NAME)).contains(theirs);
        assertThat(meters.get("nodeward.test.in.force").gauge().value()).isZero();
        server.delete(MUTATING, "", NAME);
        assertThat(made(MUTATING, NAME).path("webhooks")).hasSize(1);
    }

    @Test
    void the_secret_that_a_flag_names_stays_although_the_component_made_it() throws Exception {
        ServingOptions own = serving();
        start(AdmissionRegistration.of(OBJECTS, own, true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        made(VALIDATING, NAME);
        stop();

        ObjectKey named = new ObjectKey(SYSTEM, NAME);
        start(AdmissionRegistration.of(
                OBJECTS, new ServingOptions(own.address(), own.clientConfig(), Optional.of(named)), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.MUTATING, "/m"))));
        quiet.passUntil(() -> server.list(VALIDATING).isEmpty());
        quiet.await();
        assertThat(server.get("secrets", SYSTEM, NAME)).isPresent();
    }

    @Test
    void a_probe_follows_each_registration_and_its_webhook_is_for_dry_runs_on_the_own_secret_alone() {
        AdmissionProbe probe = new AdmissionProbe(System::nanoTime);
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))).withProbe(probe));
        JsonNode webhook = made(VALIDATING, NAME).at("/webhooks/1");
        assertThat(webhook.path("name").asText()).isEqualTo("probe.test.nodeward.io");
        assertThat(webhook.at("/namespaceSelector/matchExpressions/0/values/0").asText()).isEqualTo(SYSTEM);
        assertThat(webhook.at("/objectSelector/matchExpressions/0/key").asText()).isEqualTo("nodeward.io/probe");
        assertThat(webhook.at("/matchConditions/0/expression").asText()).contains("dryRun", "'nodeward-test'");
        assertThat(webhook.at("/rules/0/operations")).hasSize(1);
        quiet.passUntil(() -> probe.unproved().orElseThrow().message().contains("without a call of the webhook"));
        assertThat(meters.get("nodeward.test.reached").gauge().value()).isZero();
    }

    @Test
    void a_dry_run_sends_no_probe() {
        AdmissionProbe probe = new AdmissionProbe(System::nanoTime);
        assertThat(AdmissionRegistration.of(OBJECTS, serving(), false)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))).withProbe(probe).probe()).isEmpty();
    }

    @Test
    void a_validating_webhook_that_patches_is_a_fault_of_ours_and_no_answer() throws Exception {
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(webhook(AdmissionPhase.VALIDATING, "/v", request -> AdmissionResponse.allowed()
                        .withPatch(JsonPatch.EMPTY.remove(List.of("spec")))))));
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = client.post(ReviewClient.review(POD.replace('\'', '"'), ""));
            assertThat(reply.statusCode()).isEqualTo(500);
            assertThat(message(reply)).isEqualTo("failed; the log has the reason");
        }
    }

    private static String message(HttpResponse<String> reply) {
        return json(reply.body()).path("message").asText();
    }
}
