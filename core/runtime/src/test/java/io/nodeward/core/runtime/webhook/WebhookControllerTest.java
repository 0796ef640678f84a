package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Timer;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookControllerTest extends WebhookFixture {
    private static final String MUTATING = "mutatingwebhookconfigurations";
    private static final String VALIDATING = "validatingwebhookconfigurations";
    private static final String POD = """
            {'uid':'u','kind':{'group':'','version':'v1','kind':'Pod'},
             'resource':{'group':'','version':'v1','resource':'pods'},'namespace':'n','name':'p',
             'operation':'CREATE','userInfo':{'username':'jane','groups':['tenants']},
             'object':{'metadata':{'name':'p'},'spec':{}},'oldObject':null}""";

    private final BlockingQueue<AdmissionRequest> seen = new LinkedBlockingQueue<>();

    @Test
    void one_server_answers_a_mutating_and_a_validating_webhook_each_on_its_path() throws Exception {
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving(), List.of(
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
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving(),
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
        AdmissionRegistration both = AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving,
                List.of(allowing(AdmissionPhase.MUTATING, "/m"), allowing(AdmissionPhase.VALIDATING, "/v")));
        start(both);
        JsonNode before = made(MUTATING, NAME).path("webhooks");
        made(VALIDATING, NAME);
        server.mergePatch(MUTATING, "", NAME, json("{'webhooks':[]}"));
        quiet.passUntil(() -> made(MUTATING, NAME).path("webhooks").equals(before));
        server.delete(MUTATING, "", NAME);
        assertThat(made(MUTATING, NAME).path("webhooks")).isEqualTo(before);
        stop();

        start(AdmissionRegistration.of(OBJECTS, true)
                .withWebhooks(serving, List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        quiet.passUntil(() -> server.list(MUTATING).isEmpty());
        assertThat(made(VALIDATING, NAME).path("webhooks")).hasSize(1);
    }

    @Test
    void webhooks_may_come_change_and_go_while_it_runs() throws Exception {
        AtomicReference<List<Webhook>> wanted =
                new AtomicReference<>(List.of(allowing(AdmissionPhase.VALIDATING, "/v")));
        AtomicReference<Runnable> changed = new AtomicReference<>(() -> {});
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving(), wanted::get)
                .withInputs(changing(changed)));
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

    private static RegistrationInputs changing(AtomicReference<Runnable> changed) {
        return new RegistrationInputs() {
            @Override
            public void start(Runnable known, Runnable onChange) {
                changed.set(onChange);
                known.run();
            }

            @Override
            public void stop() {}
        };
    }

    @Test
    void a_configuration_of_somebody_else_keeps_the_component_out_of_force_and_not_the_other_phase() throws Exception {
        JsonNode theirs = server.create(MUTATING, json("{'metadata':{'name':'nodeward-test'},'webhooks':[]}"));
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving(),
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
        start(AdmissionRegistration.of(OBJECTS, true)
                .withWebhooks(own, List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        made(VALIDATING, NAME);
        stop();

        ObjectKey named = new ObjectKey(SYSTEM, NAME);
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(
                new ServingOptions(own.address(), own.clientConfig(), Optional.of(named)),
                List.of(allowing(AdmissionPhase.MUTATING, "/m"))));
        quiet.passUntil(() -> server.list(VALIDATING).isEmpty());
        quiet.await();
        assertThat(server.get("secrets", SYSTEM, NAME)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}", "DEEP",
            "UID"})
    void a_hostile_review_gets_a_short_answer_that_says_what_is_wrong(String body) throws Exception {
        start(AdmissionRegistration.of(OBJECTS, true)
                .withWebhooks(serving(), List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        String sent = switch (body) {
            case "DEEP" -> ReviewClient.review("[".repeat(200_000), "");
            case "UID" -> ReviewClient.review("{\"uid\":\"" + "u".repeat(2 << 20) + "\"}", "");
            default -> body.replace('\'', '"');
        };
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = client.post(sent);
            assertThat(reply.statusCode()).isEqualTo(400);
            assertThat(message(reply)).startsWith("the AdmissionReview cannot be read: ").hasSizeLessThan(1_000);
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
    }

    private static String message(HttpResponse<String> reply) {
        return json(reply.body()).path("message").asText();
    }

    @ParameterizedTest
    @CsvSource({"MANY,400,too many elements", "DEEP,400,nesting", "LONG,413,longer than 4194304 bytes",
            "UNSAID,413,longer than 4194304 bytes"})
    void what_is_made_to_be_unreadable_is_refused_as_ignored_failures_would_let_it_pass(
            String kind, int code, String message) throws Exception {
        start(AdmissionRegistration.of(OBJECTS, true)
                .withWebhooks(serving(), List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        String object = switch (kind) {
            case "MANY" -> "[" + "0,".repeat(500_000) + "0]";
            case "DEEP" -> "[".repeat(200_000);
            default -> "\"" + "x".repeat(4 << 20) + "\"";
        };
        String sent = ReviewClient.review("{\"uid\":\"u\",\"object\":" + object + "}", "");
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = kind.equals("UNSAID") ? client.postChunked(sent) : client.post(sent);
            assertThat(reply.statusCode()).isEqualTo(200);
            JsonNode response = json(reply.body()).path("response");
            assertThat(response.path("uid").asText()).isEqualTo("u");
            assertThat(response.path("allowed").asBoolean(true)).isFalse();
            assertThat(response.at("/status/code").asInt()).isEqualTo(code);
            assertThat(response.at("/status/message").asText()).contains(message).hasSizeLessThan(1_000);
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
        assertThat(reviews("other", "refused")).isOne();
    }

    @Test
    void an_oversized_body_that_is_no_review_is_refused_by_its_length_and_the_next_is_answered() throws Exception {
        start(AdmissionRegistration.of(OBJECTS, true)
                .withWebhooks(serving(), List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = client.post(" ".repeat(5 << 20));
            assertThat(reply.statusCode()).isEqualTo(413);
            assertThat(message(reply)).isEqualTo("the request is longer than 4194304 bytes");
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
        Timer latency = meters.get("controller.runtime.webhook.latency").tag("webhook", "/v").timer();
        Awaitility.await().until(() -> requests("200") == 1 && latency.count() == 2); // counted once they are sent
        assertThat(requests("413")).isOne();
        assertThat(meters.get("controller.runtime.webhook.requests.in.flight").gauge().value()).isZero();
    }

    private double requests(String code) {
        return meters.get("controller.runtime.webhook.requests").tag("webhook", "/v").tag("code", code).counter()
                .count();
    }

    @Test
    void a_validating_webhook_that_patches_is_a_fault_of_ours_and_no_answer() throws Exception {
        start(AdmissionRegistration.of(OBJECTS, true).withWebhooks(serving(),
                List.of(webhook(AdmissionPhase.VALIDATING, "/v", request -> AdmissionResponse.allowed()
                        .withPatch(JsonPatch.EMPTY.remove(List.of("spec")))))));
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = client.post(ReviewClient.review(POD.replace('\'', '"'), ""));
            assertThat(reply.statusCode()).isEqualTo(500);
            assertThat(message(reply)).isEqualTo("failed; the log has the reason");
        }
    }
}
