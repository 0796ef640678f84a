package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.https.KeyRing;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A process that serves a webhook and does not lead. */
class StandbyWebhookTest extends WebhookFixture {
    private static final String VALIDATING = "validatingwebhookconfigurations";

    private final ServingOptions leading = serving();
    private final ServingOptions standing =
            new ServingOptions(serving().address(), leading.clientConfig(), Optional.empty());
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void readLog() {
        log.start();
        logger().addAppender(log);
        logger().setLevel(Level.INFO);
    }

    @AfterEach
    void leaveLog() {
        logger().detachAppender(log);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.nodeward.core.runtime.webhook");
    }

    private static AdmissionRegistration registration(ServingOptions serving) {
        return AdmissionRegistration.of(OBJECTS, serving, true)
                .withWebhooks(List.of(allowing(AdmissionPhase.VALIDATING, "/v")));
    }

    private List<String> writes() {
        return server.requests().stream().filter(request -> !request.method().equals("GET"))
                .map(Request::path).toList();
    }

    /** Returns the configuration, but for where the standby listens. */
    private ObjectNode atStandby(JsonNode configuration) {
        ObjectNode changed = configuration.deepCopy();
        ((ObjectNode) changed.at("/webhooks/0/clientConfig"))
                .put("url", "https://127.0.0.1:" + standing.address().getPort() + "/v");
        return changed;
    }

    @Test
    void it_serves_with_the_certificate_that_the_leader_has_stored() throws Exception {
        start(registration(leading));
        JsonNode configuration = made(VALIDATING, NAME);
        quiet.await();
        server.clearRequests();

        Controller standby = standBy(registration(standing));
        quiet.passUntil(() -> standby.unready().isEmpty());
        quiet.await();
        assertThat(writes()).isEmpty();
        try (ReviewClient client = new ReviewClient(atStandby(configuration))) {
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
    }

    /** The leader may serve another name, at which API servers call it until this process leads. */
    @Test
    void it_serves_with_a_certificate_that_is_to_be_changed_and_leaves_that_to_the_leader() {
        store(KeyRing.made(List.of("elsewhere.svc"), Instant.now(), Duration.ofDays(90)).data());
        Controller standby = standBy(registration(standing));
        quiet.passUntil(() -> standby.unready().isEmpty());
        quiet.await();
        assertThat(writes()).isEmpty();
    }

    /** It waits neither for its next look at the certificate nor until API servers know of its registration. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void it_changes_what_is_stored_as_soon_as_it_leads(boolean usable) {
        store(usable ? KeyRing.made(List.of("elsewhere.svc"), Instant.now(), Duration.ofDays(90)).data()
                : Map.of("tls.crt", new byte[]{1}, "tls.key", new byte[]{2}));
        Controller standby = contend(registration(standing));
        quiet.await();
        assertThat(standby.unready().isEmpty()).isEqualTo(usable);
        assertThat(writes()).isEmpty();
        quiet.holdTime();
        lead();
        await().until(() -> writes().contains("/api/v1/namespaces/nodeward-system/secrets/" + NAME));
        quiet.passUntil(() -> standby.unready().isEmpty());
    }

    private void store(Map<String, byte[]> data) {
        ObjectNode secret = json("{'metadata':{'namespace':'nodeward-system','name':'" + NAME
                + "','labels':{'app.kubernetes.io/managed-by':'nodeward','nodeward.io/component':'test',"
                + "'nodeward.io/watch-filter':''}},'type':'kubernetes.io/tls','data':{}}");
        data.forEach((part, bytes) -> ((ObjectNode) secret.path("data")).put(part,
                Base64.getEncoder().encodeToString(bytes)));
        server.create("secrets", secret);
    }

    @Test
    void it_is_not_ready_before_it_may_read_the_secret() {
        start(registration(leading));
        made(VALIDATING, NAME);
        quiet.await();
        AtomicBoolean refuses = new AtomicBoolean(true);
        AtomicInteger refusals = new AtomicInteger();
        server.fault(1_000, request -> refuses.get() && request.method().equals("GET")
                && request.path().endsWith("/secrets/" + NAME) && refusals.incrementAndGet() > 0,
                Fault.status(403, "Forbidden", "no right"));
        Controller standby = standBy(registration(standing));
        quiet.passUntil(() -> refusals.get() > 2);
        assertThat(standby.unready()).contains("the webhook is not served yet");
        refuses.set(false);
        quiet.passUntil(() -> standby.unready().isEmpty());
    }

    /** It logs that, as the leader may be of a version that does not serve the webhook. */
    @Test
    void it_is_not_ready_before_the_leader_has_replaced_a_secret_that_cannot_be_used() throws Exception {
        store(Map.of("tls.crt", new byte[]{1}, "tls.key", new byte[]{2}));
        Controller standby = standBy(registration(standing));
        quiet.passUntil(() -> log.list.stream().anyMatch(line -> line.getFormattedMessage()
                .startsWith("Secret " + SYSTEM + "/" + NAME + ": it cannot be used, and the webhook waits")));
        quiet.await();
        assertThat(standby.unready()).isPresent();
        assertThat(writes()).isEmpty();

        start(registration(leading));
        quiet.passUntil(() -> standby.unready().isEmpty());
        try (ReviewClient client = new ReviewClient(atStandby(made(VALIDATING, NAME)))) {
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
    }

    /** As in a rollout that turns the webhook on: the leader that runs does not have it, and ends when another process is ready. */
    @Test
    void it_stores_the_certificate_that_no_other_process_does_and_registers_nothing() throws Exception {
        Controller standby = standBy(registration(standing));
        assertThat(standby.unready()).isPresent();
        quiet.passUntil(() -> standby.unready().isEmpty());
        quiet.await();
        assertThat(writes()).containsExactly("/api/v1/namespaces/nodeward-system/secrets");
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .anyMatch(line -> line.startsWith("issued the certificate"))
                .noneMatch(line -> line.contains("created") || line.contains("creating"));

        start(registration(leading));
        try (ReviewClient client = new ReviewClient(atStandby(made(VALIDATING, NAME)))) {
            assertThat(client.review(POD).path("allowed").asBoolean()).isTrue();
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .containsOnlyOnce("created ValidatingWebhookConfiguration " + NAME);
    }
}
