package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.webhook.AdmissionProbe.Unproved;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class AdmissionProbeTest {
    private static final String WEBHOOK = "admission webhook \"probe.test.nodeward.io\" denied the request: ";
    private static final String NOT_CALLED = "failed calling webhook \"probe.test.nodeward.io\": no endpoints";

    private final List<Request> sent = new ArrayList<>();
    private final List<Optional<Unproved>> heard = new ArrayList<>();
    private long now;
    private final AdmissionProbe probe = new AdmissionProbe(() -> now);
    /** What the API server answers to a probe with this nonce. */
    private Function<String, Response> server = nonce -> denied(WEBHOOK + denial(nonce));

    @Test
    void a_denial_with_its_own_nonce_proves_it_and_the_next_probe_comes_ten_minutes_later() {
        assertThat(probe.unproved()).hasValueSatisfying(first -> assertThat(first.lasting()).isFalse());
        assertThat(again()).isBetween(Duration.ofMinutes(8), Duration.ofMinutes(12));
        assertThat(probe.unproved()).isEmpty();
        assertThat(sent).singleElement().satisfies(request -> {
            assertThat(request.method()).isEqualTo("PATCH");
            assertThat(request.path()).startsWith("/api/v1/namespaces/nodeward-system/secrets/nodeward-test?")
                    .contains("dryRun=All");
        });
        again();
        assertThat(nonce(sent.get(0))).as("each probe has its own").isNotEqualTo(nonce(sent.get(1)));
    }

    @Test
    void nothing_else_proves_it() {
        again();
        for (Function<String, Response> answer : List.<Function<String, Response>>of(
                nonce -> answer(200, "{\"metadata\":{}}"),
                nonce -> answer(500, status(500, "InternalError", NOT_CALLED)),
                nonce -> denied(WEBHOOK + denial("another")),
                nonce -> denied("admission webhook \"other.example.com\" denied the request: " + denial(nonce)),
                nonce -> denied("secrets \"nodeward-test\" is forbidden: " + nonce),
                nonce -> answer(404, status(404, "NotFound", "secrets \"nodeward-test\" not found")))) {
            server = answer;
            assertThat(again()).isLessThan(Duration.ofMinutes(1));
            assertThat(probe.unproved()).isPresent();
            server = nonce -> denied(WEBHOOK + denial(nonce));
            again();
            assertThat(probe.unproved()).isEmpty();
        }
    }

    @Test
    void a_failure_says_what_the_api_server_said_and_lasts_after_half_a_minute_of_quick_probes() {
        server = nonce -> answer(500, status(500, "InternalError", NOT_CALLED));
        Duration pause = again();
        assertThat(probe.unproved()).hasValueSatisfying(why -> {
            assertThat(why.message()).contains(NOT_CALLED);
            assertThat(why.lasting()).isFalse();
        });
        while (!probe.unproved().orElseThrow().lasting()) {
            now += pause.toNanos();
            pause = again();
        }
        assertThat(Duration.ofNanos(now)).isBetween(AdmissionProbe.LASTING, AdmissionProbe.LASTING.multipliedBy(3));
        assertThat(sent).hasSizeGreaterThanOrEqualTo(5);
        server = nonce -> denied(WEBHOOK + denial(nonce));
        passed();
        server = nonce -> answer(500, status(500, "InternalError", NOT_CALLED));
        passed();
        assertThat(probe.unproved()).as("it counts from the first failure after a success")
                .hasValueSatisfying(why -> assertThat(why.lasting()).isFalse());
    }

    /** Returns how long until the next probe; the last one was so long ago. */
    private Duration passed() {
        now += Duration.ofSeconds(15).toNanos();
        return again();
    }

    @Test
    void words_that_change_with_each_failure_are_heard_of_once_a_minute_and_local_ports_never() {
        probe.whenChanged(changed -> heard.add(changed.unproved()));
        server = nonce -> answer(500, status(500, "InternalError", "read tcp 10.0.0.1:" + (40000 + sent.size())
                + "->10.0.0.2:443: EOF"));
        for (int i = 0; i < 40; i++) {
            passed();
        }
        assertThat(heard).hasSize(2).allSatisfy(
                why -> assertThat(why.orElseThrow().message()).contains("read tcp 10.0.0.2:443: EOF"));
        server = nonce -> answer(500, status(500, "InternalError", "probe " + sent.size()));
        for (int i = 0; i < 40; i++) {
            passed();
        }
        assertThat(heard).hasSizeLessThanOrEqualTo(2 + 10);
    }

    @Test
    void a_pause_leaves_what_is_known_as_it_is() {
        again();
        server = nonce -> {
            throw ApiFailure.paused("PATCH", "paused", over -> {});
        };
        assertThatThrownBy(this::again).isInstanceOf(ApiFailure.Paused.class);
        assertThat(probe.unproved()).isEmpty();
    }

    @Test
    void only_a_dry_run_with_a_nonce_is_denied() throws IOException {
        assertThat(review("n", true).message()).isEqualTo(denial("n"));
        assertThat(review("n", false).isAllowed()).isTrue();
        assertThat(review("", true).isAllowed()).isTrue();
    }

    private AdmissionResponse review(String nonce, boolean dryRun) throws IOException {
        Webhook webhook = probe.webhook("test", new ObjectKey("nodeward-system", "nodeward-test"));
        AdmissionRequest request = AdmissionReviews.read(ReviewClient.review(("{'uid':'u','dryRun':" + dryRun
                + ",'operation':'UPDATE','object':{'metadata':{'labels':{'nodeward.io/probe':'" + nonce + "'}}}}")
                .replace('\'', '"'), "").getBytes(StandardCharsets.UTF_8), AdmissionReviews.shape(webhook.shape()));
        return webhook.handler().handle(request);
    }

    @Test
    void a_component_whose_secret_a_flag_names_has_no_probe() {
        ServingOptions own = WebhookFixture.serving();
        ServingOptions named = new ServingOptions(
                own.address(), own.clientConfig(), Optional.of(new ObjectKey("n", "theirs")));
        AdmissionRegistration registration = AdmissionRegistration.of(WebhookFixture.OBJECTS, named, true)
                .withWebhooks(List.of(WebhookFixture.allowing(AdmissionPhase.VALIDATING, "/v")));
        assertThatThrownBy(() -> registration.withProbe(probe)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Probes; returns how long until the next one. */
    private Duration again() {
        ApiServer api = new ApiServer(new Transport() {
            @Override
            public Response exchange(Request request) {
                sent.add(request);
                return server.apply(nonce(request));
            }

            @Override
            public void close() {}
        });
        return ((Result.RequeueAfter) probe.send(api, WebhookFixture.OBJECTS)).after();
    }

    private static String nonce(Request request) {
        return WebhookFixture.json(new String(request.body().orElseThrow(), StandardCharsets.UTF_8))
                .at("/metadata/labels/nodeward.io~1probe").asText();
    }

    private static String denial(String nonce) {
        return "Nodeward got the probe " + nonce;
    }

    private static Response denied(String message) {
        return answer(403, status(403, "Forbidden", message));
    }

    private static String status(int code, String reason, String message) {
        return "{\"kind\":\"Status\",\"code\":" + code + ",\"reason\":\"" + reason + "\",\"message\":\""
                + message.replace("\"", "\\\"") + "\"}";
    }

    private static Response answer(int code, String body) {
        return new Response(code, Optional.empty(),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }
}
