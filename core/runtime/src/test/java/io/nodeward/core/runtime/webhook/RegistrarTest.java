package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RegistrarTest extends WebhookFixture {
    private static final String VALIDATING = "validatingwebhookconfigurations";

    private final ServingOptions serving = serving();

    /** What is registered has all that is wanted then, and more: it only tells by the annotation what was applied. */
    @Test
    void a_field_that_is_not_wanted_any_more_is_taken_out() throws Exception {
        Webhook plain = allowing(AdmissionPhase.VALIDATING, "/v");
        Map<String, Object> selecting = new TreeMap<>(plain.fields());
        selecting.put("namespaceSelector", Map.of("matchLabels", Map.of("a", "b")));
        register(new Webhook(plain.phase(), plain.name(), plain.path(), plain.shape(), plain.handler(), selecting));
        assertThat(made(VALIDATING, NAME).at("/webhooks/0/namespaceSelector/matchLabels/a").asText()).isEqualTo("b");
        stop();

        register(plain);
        quiet.passUntil(() -> made(VALIDATING, NAME).at("/webhooks/0/namespaceSelector").isMissingNode());
    }

    /** Taints may wait longer and longer while another writer undoes them. A webhook guards pods: it comes back each minute. */
    @Test
    void a_webhook_that_another_writer_keeps_removing_comes_back_within_a_minute_each_time() {
        register(allowing(AdmissionPhase.VALIDATING, "/v"));
        made(VALIDATING, NAME);
        long begin = clock.getAsLong();
        for (int write = 0; write < 5 * 5; write++) {
            server.mergePatch(VALIDATING, "", NAME, json("{'webhooks':[]}"));
            quiet.passUntil(() -> made(VALIDATING, NAME).path("webhooks").size() == 1);
        }
        assertThat(Duration.ofNanos(clock.getAsLong() - begin)).isLessThanOrEqualTo(Duration.ofMinutes(6));
    }

    private void register(Webhook webhook) {
        start(AdmissionRegistration.of(OBJECTS, serving, true).withWebhooks(List.of(webhook)));
    }
}
