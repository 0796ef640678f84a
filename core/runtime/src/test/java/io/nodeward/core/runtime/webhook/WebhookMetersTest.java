package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.AdmissionReviews;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WebhookMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Instant now = Instant.EPOCH;
    private final WebhookMeters meters = new WebhookMeters(registry,
            AdmissionRegistration.of(WebhookFixture.OBJECTS, WebhookFixture.serving(), true)
                    .withCounted(List.of(new GroupKind("", "Pod"))),
            () -> now);

    @Test
    void the_time_since_a_review_counts_from_the_start_and_anew_from_each_answer() throws IOException {
        meters.served(List.of(), Optional::empty);
        now = now.plus(Duration.ofMinutes(5));
        assertThat(sinceReview()).isEqualTo(300);
        review("Pod", AdmissionResponse.allowed());
        assertThat(sinceReview()).isZero();
        now = now.plus(Duration.ofMinutes(1));
        assertThat(sinceReview()).isEqualTo(60);
        meters.refusedUnread();
        assertThat(sinceReview()).isZero();
    }

    @Test
    void kinds_that_are_not_counted_each_for_itself_are_counted_together() throws IOException {
        review("Pod", AdmissionResponse.allowed());
        review("Secret", AdmissionResponse.allowed().withWarnings(List.of("w")));
        review("Node", AdmissionResponse.forbidden("no"));
        meters.refusedUnread();

        assertThat(reviews("Pod", "allowed")).isOne();
        assertThat(reviews("other", "warned")).isOne();
        assertThat(reviews("other", "refused")).isEqualTo(2);
        assertThat(registry.find("nodeward.test.reviews").tag("kind", "Secret").counter()).isNull();
    }

    private void review(String kind, AdmissionResponse response) throws IOException {
        String review = ReviewClient.review("{\"uid\":\"u\",\"kind\":{\"group\":\"\",\"kind\":\"" + kind + "\"}}", "");
        meters.reviewed(
                AdmissionReviews.read(review.getBytes(StandardCharsets.UTF_8), AdmissionReviews.shape(Shape.WHOLE)),
                response);
    }

    private double sinceReview() {
        return registry.get("nodeward.test.since.review").gauge().value();
    }

    private double reviews(String kind, String verdict) {
        return registry.get("nodeward.test.reviews").tag("kind", kind).tag("verdict", verdict).counter().count();
    }
}
