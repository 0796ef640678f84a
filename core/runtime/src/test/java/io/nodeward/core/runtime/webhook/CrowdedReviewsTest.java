package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.core.runtime.cluster.StateUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant keeps the webhook busy. All are answered with an AdmissionReview: an API server may ignore a failure. */
class CrowdedReviewsTest extends WebhookFixture {
    /** A quarter of the 16 turns stays for others. */
    private static final int TURNS = 12;

    private final AtomicInteger inHand = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

    @AfterEach
    void end() {
        go.countDown();
        callers.close();
    }

    /** @param bytes of each review of the crowd */
    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void only_the_namespace_that_crowds_is_refused(int bytes) throws Exception {
        start(registered(AdmissionPhase.VALIDATING, this::holdCrowd));
        try (ReviewClient client = new ReviewClient(made("validatingwebhookconfigurations", NAME))) {
            List<Future<JsonNode>> crowd = IntStream.range(0, 64)
                    .mapToObj(i -> callers.submit(() -> client.review(pod("crowd", "c" + i, bytes)))).toList();
            Awaitility.await().until(() -> inHand.get() == TURNS);
            for (int i = 0; i < 20; i++) {
                assertThat(client.review(pod("other", "o" + i, 0)).path("allowed").asBoolean()).isTrue();
            }
            Awaitility.await().until(() -> busy(crowd) == crowd.size() - TURNS);
            assertThat(inHand).hasValue(TURNS);
        }
    }

    /** Returns how many reviews of the crowd were refused because there was no room. */
    private static long busy(List<Future<JsonNode>> crowd) {
        return IntStream.range(0, crowd.size()).filter(i -> crowd.get(i).state() == Future.State.SUCCESS)
                .mapToObj(i -> crowd.get(i).resultNow().path("uid").asText().equals("c" + i) ? crowd.get(i).resultNow()
                        : MissingNode.getInstance())
                .filter(CrowdedReviewsTest::isBusy).count();
    }

    private static boolean isBusy(JsonNode response) {
        return !response.path("allowed").asBoolean(true) && response.at("/status/code").asInt() == 429
                && response.at("/status/message").asText().equals("too many requests at once, try again");
    }

    @Test
    void a_validating_webhook_that_cannot_know_in_time_refuses() throws Exception {
        start(registered(AdmissionPhase.VALIDATING, CrowdedReviewsTest::unavailable));
        try (ReviewClient client = new ReviewClient(made("validatingwebhookconfigurations", NAME))) {
            JsonNode response = client.review(POD);
            assertThat(response.path("allowed").asBoolean(true)).isFalse();
            assertThat(response.at("/status/code").asInt()).isEqualTo(503);
            assertThat(response.at("/status/message").asText()).isEqualTo("not in time");
        }
    }

    @Test
    void one_that_mutates_leaves_it_to_its_failure_policy() throws Exception {
        start(registered(AdmissionPhase.MUTATING, CrowdedReviewsTest::unavailable));
        try (ReviewClient client = new ReviewClient(made("mutatingwebhookconfigurations", NAME))) {
            assertThat(client.post(ReviewClient.review(POD.replace('\'', '"'), "")).statusCode()).isEqualTo(500);
        }
    }

    /** API servers send a name before the namespace, and look at neither before a webhook has mutated the object. */
    @Test
    void a_pod_whose_namespace_comes_late_takes_no_share_of_objects_of_the_cluster() {
        WebhookServer.Reviews reviews = new WebhookServer.Reviews(allowing(AdmissionPhase.VALIDATING, "/v"),
                new WebhookMeters(meters, AdmissionRegistration.of(OBJECTS, serving(), true), InstantSource.system()));
        assertThat(account(reviews, "'uid':'u','name':'" + "p".repeat(9000) + "','namespace':'n','operation':'CREATE'"))
                .isEqualTo(account(reviews, "")).isNotEqualTo(account(reviews, "'uid':'u','operation':'CREATE'"));
        assertThat(account(reviews, "'uid':'u','namespace':'n','operation':'CREATE'")).isEqualTo("n");
    }

    private static String account(WebhookServer.Reviews reviews, String request) {
        byte[] review =
                ReviewClient.review("{" + request.replace('\'', '"') + "}", "").getBytes(StandardCharsets.UTF_8);
        return reviews.account(Arrays.copyOf(review, Math.min(review.length, 8192)));
    }

    private static AdmissionResponse unavailable(AdmissionRequest request) {
        throw new StateUnavailable("not in time");
    }

    private AdmissionResponse holdCrowd(AdmissionRequest request) {
        if (request.namespace().equals("crowd")) {
            inHand.incrementAndGet();
            try {
                go.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return AdmissionResponse.allowed();
    }

    private static AdmissionRegistration registered(AdmissionPhase phase, AdmissionHandler handler) {
        return AdmissionRegistration.of(OBJECTS, serving(), true).withWebhooks(List.of(webhook(phase, "/v", handler)));
    }

    private static String pod(String namespace, String uid, int bytes) {
        return POD.replace("'uid':'u'", "'uid':'" + uid + "'").replace("'namespace':'n'",
                "'namespace':'" + namespace + "'").replace("'spec':{}", "'spec':{'x':'" + "x".repeat(bytes) + "'}");
    }
}
