package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

class CertificatesTest extends AdmissionFixture {
    private static final List<String> NAMES = List.of("127.0.0.1");
    private static final Duration LIFE = Duration.ofDays(90);

    @Test
    void replicas_that_start_together_share_the_key_of_the_first() throws Exception {
        for (int i = 0; i < 4; i++) {
            AdmissionConfig replica = config();
            replica.service = WebhookClientConfig.parse("nodeward-system/nodeward-admission");
            start(replica);
        }
        made(WEBHOOKS, NAME);
        passUntil(() -> management.requests().stream().filter(CertificatesTest::isSecretWrite).count() >= 1
                && management.requests().stream().filter(r -> r.path().endsWith("secrets/" + NAME)).count() >= 4);
        settle();

        // Whoever came too late was told so, and has what is stored.
        assertThat(management.requests()).filteredOn(r -> isSecretWrite(r) && r.code() == 201).hasSize(1);
        assertThat(management.requests()).filteredOn(CertificatesTest::isSecretWrite)
                .allMatch(r -> r.method().equals("POST"));
        passUntil(() -> meters.get("nodeward.admission.in.force").gauge().value() == 1);
    }

    @Test
    void of_replicas_that_renew_at_the_same_time_one_does_and_the_others_follow() throws Exception {
        KeyRing due = KeyRing.made(NAMES, Instant.now().minus(LIFE.dividedBy(10).multipliedBy(8)), LIFE);
        store(due, LABELS);
        // All have looked before one has written.
        management.fault(3, r -> r.method().equals("PATCH") && isSecretWrite(r),
                new Fault.Delay(Duration.ofSeconds(3)));
        for (int i = 0; i < 3; i++) {
            AdmissionConfig replica = config();
            replica.service = WebhookClientConfig.parse("https://127.0.0.1");
            start(replica);
        }
        passUntil(() -> management.requests().stream()
                .filter(r -> isSecretWrite(r) && r.code() == 409).count() == 2);
        settle();

        assertThat(management.requests()).filteredOn(r -> isSecretWrite(r) && r.code() == 200).hasSize(1).first()
                .extracting(r -> json(r.body()).at("/metadata/uid"))
                .isEqualTo(made("secrets", NAME).at("/metadata/uid"));
        assertThat(tls()).isNotEqualTo(tls(due));
    }

    private static boolean isSecretWrite(Request request) {
        return !request.method().equals("GET") && request.path().contains("/secrets");
    }

    @Test
    void a_restart_goes_on_with_what_is_stored_and_what_is_deleted_comes_back_as_it_was() {
        AdmissionConfig config = config();
        start(new AdmissionModule(config, true, false, false), "", false);
        made(WEBHOOKS, NAME);
        JsonNode data = made("secrets", NAME).path("data");

        management.delete("secrets", SYSTEM, NAME);
        assertThat(made("secrets", NAME).path("data")).isEqualTo(data);
    }

    @Test
    void the_certificate_is_renewed_in_steps_that_callers_can_follow() throws Exception {
        // Of ten lives of a certificate the authority has had 8.7, and this one 0.8 of its own: two steps are due.
        Duration tenth = LIFE.dividedBy(10);
        Instant now = Instant.now();
        KeyRing due = KeyRing.made(NAMES, now.minus(tenth.multipliedBy(87)), LIFE)
                .renewed(NAMES, now.minus(tenth.multipliedBy(8)), LIFE).orElseThrow();
        store(due, LABELS);
        start(config());
        made(WEBHOOKS, NAME);

        passUntil(() -> {
            assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
            return !tls().equals(tls(due));
        });
        passUntil(() -> authorities(made(WEBHOOKS, NAME)) == 2
                && Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean());
    }

    private static long authorities(JsonNode configuration) {
        byte[] pem = Base64.getDecoder().decode(configuration.at("/webhooks/0/clientConfig/caBundle").asText());
        return new String(pem, StandardCharsets.US_ASCII).lines().filter(line -> line.contains("BEGIN")).count();
    }

    private String tls() {
        return made("secrets", NAME).at("/data/tls.crt").asText();
    }

    private static String tls(KeyRing ring) {
        return Base64.getEncoder().encodeToString(ring.data().get("tls.crt"));
    }

    @Test
    void a_certificate_for_another_name_is_replaced_and_one_that_cannot_be_read_too() throws Exception {
        store(KeyRing.made(List.of("elsewhere.svc"), Instant.now(), LIFE), LABELS);
        start(config());
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();

        management.mergePatch("secrets", SYSTEM, NAME, json("{'data':{'ca.key':'AAAA'}}"));
        passUntil(() -> made("secrets", NAME).at("/data/ca.key").asText().length() > 4);
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
    }

    @Test
    void somebody_elses_secret_of_this_name_is_left_alone() throws Exception {
        KeyRing ring = KeyRing.made(NAMES, Instant.now(), LIFE);
        store(ring, "'labels':{'app.kubernetes.io/managed-by':'nodeward'}");
        JsonNode before = made("secrets", NAME);
        start(config());
        passUntil(() -> management.requests().stream().anyMatch(r -> r.path().endsWith("/secrets/" + NAME)));
        settle();

        assertThat(made("secrets", NAME)).isEqualTo(before);
        assertThat(management.list(WEBHOOKS)).isEmpty();
    }

    @Test
    void our_own_secret_gets_its_labels_back() {
        start(config());
        made(WEBHOOKS, NAME);
        JsonNode data = made("secrets", NAME).path("data");

        management.mergePatch("secrets", SYSTEM, NAME, json("{'metadata':{'labels':null}}"));
        passUntil(() -> made("secrets", NAME).at("/metadata/labels").has("nodeward.io/component"));
        assertThat(made("secrets", NAME).path("data")).isEqualTo(data);
    }

    /** Whether the certificate is as good there or is made anew: what cleans up at the URL has to find it. */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "nodeward-admission." + SYSTEM + ".svc"})
    void a_secret_of_a_service_becomes_that_of_the_url_at_which_the_webhook_is_reached_now(String name) {
        store(KeyRing.made(List.of(name), Instant.now(), LIFE),
                LABELS + ",'annotations':{'nodeward.io/service':'nodeward-system/nodeward-admission'}");
        Runnable end = start(new AdmissionModule(config(), true, false, false), "", false);
        made(WEBHOOKS, NAME);
        settle();
        end.run();
        start(new AdmissionCleanUpModule(config()), "", false);
        passUntil(() -> management.list(WEBHOOKS).isEmpty());
        settle();
        assertThat(management.list("secrets")).isEmpty();
    }

    @Test
    void that_its_annotation_may_not_be_written_keeps_the_webhook_from_nobody() {
        store(KeyRing.made(NAMES, Instant.now(), LIFE), LABELS + ",'annotations':{'nodeward.io/service':'a/b'}");
        management.fault(1_000, r -> r.method().equals("PATCH") && isSecretWrite(r),
                Fault.status(403, "Forbidden", "you may not"));
        start(config());
        made(WEBHOOKS, NAME);
        assertThat(management.requests()).filteredOn(r -> r.code() == 403).hasSize(1);
    }

    @Test
    void of_the_namespace_nothing_but_the_one_secret_is_asked_for() {
        start(config());
        made(WEBHOOKS, NAME);
        assertThat(management.requests()).filteredOn(r -> r.method().equals("GET")
                && r.path().endsWith("/namespaces/nodeward-system/secrets")).isNotEmpty()
                .allMatch(r -> r.query().contains("fieldSelector=metadata.name%3D" + NAME));
    }

    @Test
    void a_given_secret_is_waited_for_and_followed() throws Exception {
        AdmissionConfig config = config();
        config.secret = new ObjectKey(SYSTEM, "given");
        start(config);
        passUntil(() -> management.requests().stream().anyMatch(r -> r.path().endsWith("/secrets/given")));
        settle();
        assertThat(management.list(WEBHOOKS)).isEmpty();

        KeyRing first = KeyRing.made(NAMES, Instant.now(), Duration.ofDays(30));
        management.create("secrets", secret("given", first, "'annotations':{}"));
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
        management.mergePatch("secrets", SYSTEM, "given", json("{'data':{'tls.key':'AAAA'}}"));
        settle();
        KeyRing second = KeyRing.made(NAMES, Instant.now(), Duration.ofDays(60));
        management.mergePatch("secrets", SYSTEM, "given", data(second));
        passUntil(() -> meters.get("nodeward.admission.certificate.expiry").gauge().value() > 40 * 86400.0);
        assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
        assertThat(management.list("secrets")).extracting(s -> s.at("/metadata/name").asText())
                .containsExactly("given");
    }

    @Test
    void a_given_certificate_that_no_caller_would_believe_is_not_shown() throws Exception {
        AdmissionConfig config = config();
        config.secret = new ObjectKey(SYSTEM, "given");
        KeyRing good = KeyRing.made(NAMES, Instant.now(), Duration.ofDays(30));
        KeyRing elsewhere = KeyRing.made(List.of("elsewhere.svc"), Instant.now(), Duration.ofDays(60));
        KeyRing over = KeyRing.made(NAMES, Instant.now().minus(Duration.ofDays(61)), Duration.ofDays(60));
        ObjectNode unsigned = data(KeyRing.made(NAMES, Instant.now(), Duration.ofDays(60)));
        ((ObjectNode) unsigned.path("data")).set("ca.crt", data(good).at("/data/ca.crt"));
        management.create("secrets", secret("given", elsewhere, "'annotations':{}"));
        start(config);
        passUntil(() -> management.requests().stream().anyMatch(r -> r.path().endsWith("/secrets/given")));
        settle();
        assertThat(management.list(WEBHOOKS)).isEmpty();

        management.mergePatch("secrets", SYSTEM, "given", data(good));
        made(WEBHOOKS, NAME);
        for (ObjectNode bad : List.of(data(elsewhere), data(over), unsigned)) {
            management.mergePatch("secrets", SYSTEM, "given", bad);
            settle();
            assertThat(Caller.create(made(WEBHOOKS, NAME), "Machine", "gpu").path("allowed").asBoolean()).isTrue();
            assertThat(authorities(made(WEBHOOKS, NAME))).isOne();
        }
    }

    @Test
    void what_is_in_secrets_is_in_no_log() throws Exception {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger("io.nodeward");
        Level before = root.getLevel();
        log.start();
        root.addAppender(log);
        root.setLevel(Level.TRACE);
        try {
            start(config());
            made(WEBHOOKS, NAME);
            management.mergePatch("secrets", SYSTEM, NAME, json("{'data':{'tls.key':'Tm9TdWNoS2V5'}}"));
            passUntil(() -> made("secrets", NAME).at("/data/tls.key").asText().length() > 20);
            settle();
        } finally {
            root.setLevel(before);
            root.detachAppender(log);
        }
        String said = log.list.stream().map(e -> e.getFormattedMessage() + e.getMDCPropertyMap() + e.getKeyValuePairs())
                .collect(Collectors.joining("\n"));
        assertThat(said).contains("Secret nodeward-system/nodeward-admission").doesNotContain("Tm9TdWNoS2V5",
                "NoSuchKey");
        made("secrets", NAME).path("data").properties().forEach(part -> assertThat(said)
                .doesNotContain(part.getValue().asText().substring(60, 100))
                .doesNotContain(new String(Base64.getDecoder().decode(part.getValue().asText()),
                        StandardCharsets.US_ASCII).substring(40, 60)));
    }

    private void store(KeyRing ring, String metadata) {
        management.create("secrets", secret(NAME, ring, metadata));
    }

    private static JsonNode secret(String name, KeyRing ring, String metadata) {
        return json("{'metadata':{'namespace':'nodeward-system','name':'" + name + "'," + metadata
                + "},'type':'kubernetes.io/tls'}").setAll(data(ring));
    }

    private static ObjectNode data(KeyRing ring) {
        ObjectNode data = json("{'data':{}}");
        Map<String, byte[]> parts = ring.data();
        parts.forEach((name, bytes) -> ((ObjectNode) data.path("data")).put(name,
                Base64.getEncoder().encodeToString(bytes)));
        return data;
    }
}
