package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.core.runtime.https.Answering.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An API server takes no answer whose uid is not that of its question: the write is refused. */
class AnsweredUidTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    @ParameterizedTest
    @ValueSource(strings = {"CREATE", "UPDATE", "DELETE", "CONNECT"})
    void every_answer_is_to_its_question(String operation) throws IOException {
        WebhookServer.Reviews endpoint = endpoint(request -> request.operation().equals("UPDATE")
                ? AdmissionResponse.forbidden("no")
                : AdmissionResponse.allowed());
        for (String uid : List.of("a", "b")) {
            JsonNode response = response(endpoint.answer(review(uid, operation)));
            assertThat(response.path("uid").asText()).isEqualTo(uid);
            assertThat(response.path("allowed").asBoolean()).isEqualTo(!operation.equals("UPDATE"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {110, 120, 8192})
    void so_is_a_refusal_of_a_review_of_which_only_the_start_is_known(int length) throws IOException {
        byte[] review = review("u", "CREATE\",\"object\":\"" + "x".repeat(9000));
        byte[] start = Arrays.copyOf(review, length);

        JsonNode response = response(endpoint(request -> AdmissionResponse.allowed())
                .refusal(start, new Refusal(413, "RequestEntityTooLarge", "too long")).orElseThrow());
        assertThat(response.path("uid").asText()).isEqualTo("u");
        assertThat(response.path("allowed").asBoolean(true)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{'kind':'AdmissionReview','request':{'uid':'u'}}",
            "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u",
            "{'apiVersion':'admission.k8s.io/v1','kind':'Pod','request':{'uid':'u'}}"})
    void whoever_asked_no_question_gets_no_answer_to_one(String body) {
        assertThat(endpoint(request -> AdmissionResponse.allowed())
                .refusal(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8),
                        new Refusal(400, "BadRequest", "no")))
                .isEmpty();
    }

    private WebhookServer.Reviews endpoint(AdmissionHandler handler) {
        Webhook webhook = WebhookFixture.webhook(AdmissionPhase.VALIDATING, "/v", handler);
        WebhookMeters meters = new WebhookMeters(
                registry, AdmissionRegistration.of(WebhookFixture.OBJECTS, WebhookFixture.serving(), true),
                InstantSource.system());
        return new WebhookServer.Reviews(webhook, meters);
    }

    private static byte[] review(String uid, String operation) {
        return ReviewClient.review("{\"uid\":\"" + uid + "\",\"operation\":\"" + operation + "\"}", "")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static JsonNode response(byte[] answer) {
        return WebhookFixture.json(new String(answer, StandardCharsets.UTF_8)).path("response");
    }
}
