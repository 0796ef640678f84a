package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.Counter;
import java.net.http.HttpResponse;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reviews that cannot be read. */
class UnreadableReviewTest extends WebhookFixture {
    private static final String VALIDATING = "validatingwebhookconfigurations";

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}", "DEEP",
            "UID"})
    void a_hostile_review_gets_a_short_answer_that_says_what_is_wrong(String body) throws Exception {
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
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
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
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
        start(AdmissionRegistration.of(OBJECTS, serving(), true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v"))));
        try (ReviewClient client = new ReviewClient(made(VALIDATING, NAME))) {
            HttpResponse<String> reply = client.post(" ".repeat(5 << 20));
            assertThat(reply.statusCode()).isEqualTo(413);
            assertThat(message(reply)).isEqualTo("the request is longer than 4194304 bytes");
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
        // Counted once they are sent, with the code last.
        Awaitility.await().until(() -> requests("200") == 1 && requests("413") == 1);
        assertThat(meters.get("controller.runtime.webhook.latency").tag("webhook", "/v").timer().count()).isEqualTo(2);
        assertThat(meters.get("controller.runtime.webhook.requests.in.flight").gauge().value()).isZero();
    }

    private double requests(String code) {
        return meters.find("controller.runtime.webhook.requests").tag("webhook", "/v").tag("code", code).counters()
                .stream().mapToDouble(Counter::count).sum();
    }

    private double reviews(String kind, String verdict) {
        return meters.get("nodeward.test.reviews").tag("kind", kind).tag("verdict", verdict).counter().count();
    }
}
