package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.time.Timers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRingTest {
    private static final List<String> NAMES = List.of("webhook.nodeward.svc", "localhost");
    private static final Duration LIFE = Duration.ofDays(30);
    private static final Duration STEP = Duration.ofHours(12);
    private static final Instant START = Instant.parse("2046-01-01T00:00:00Z");

    /** Callers are told whom to trust one step late; until 2050 and beyond, where certificates write times otherwise. */
    @Test
    void in_years_of_renewals_no_call_is_lost() {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);
        List<X509Certificate> told = ring.authorities();
        int servers = 1;
        int authorities = 1;
        for (Instant now = START; now.isBefore(START.plus(Duration.ofDays(5 * 365))); now = now.plus(STEP)) {
            Optional<KeyRing> next = ring.renewed(NAMES, now, LIFE);
            if (next.isPresent()) {
                servers += next.get().server().equals(ring.server()) ? 0 : 1;
                authorities += next.get().authorities().size() > ring.authorities().size() ? 1 : 0;
                ring = KeyRing.read(next.get().data());
            }
            assertThat(isTrusted(told, ring.server().chain().getFirst(), now)).as("%s", now).isTrue();
            told = ring.authorities();
            assertThat(told.size()).isBetween(1, 2);
        }
        assertThat(servers).isGreaterThan(80);
        assertThat(authorities).isBetween(6, 12);
    }

    @Test
    void nothing_is_renewed_before_it_is_due() {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);

        assertThat(ring.renewed(NAMES, START.plus(Duration.ofDays(19)), LIFE)).isEmpty();
        assertThat(ring.renewed(NAMES, START.plus(Duration.ofDays(21)), LIFE)).isPresent();
    }

    @Test
    void after_a_long_pause_it_is_good_again_in_two_steps() {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);
        Instant late = START.plus(Duration.ofDays(4000));

        KeyRing prepared = ring.renewed(NAMES, late, LIFE).orElseThrow();
        KeyRing renewed = prepared.renewed(NAMES, late, LIFE).orElseThrow();
        assertThat(isTrusted(prepared.authorities(), renewed.server().chain().getFirst(), late)).isTrue();
        assertThat(renewed.renewed(NAMES, late, LIFE)).isEmpty();
    }

    /** The clock was ahead when the ring was renewed, by less and by more than the life of an authority. */
    @ParameterizedTest
    @ValueSource(longs = {100, 800})
    void after_the_clock_was_set_back_callers_trust_it_again(long daysAhead) {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);
        Instant ahead = START.plus(Duration.ofDays(daysAhead));
        for (Optional<KeyRing> next = Optional.of(ring); next.isPresent(); next = ring.renewed(NAMES, ahead, LIFE)) {
            ring = next.get();
        }
        Instant now = START.plus(Duration.ofMinutes(1));
        assertThat(isTrusted(ring.authorities(), ring.server().chain().getFirst(), now)).isFalse();

        List<X509Certificate> told = ring.authorities();
        for (Optional<KeyRing> next = Optional.of(ring); next.isPresent(); next = ring.renewed(NAMES, now, LIFE)) {
            told = ring.authorities();
            ring = next.get();
        }
        assertThat(isTrusted(told, ring.server().chain().getFirst(), now)).isTrue();
    }

    @Test
    void it_is_read_as_it_was_written() {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);
        KeyRing prepared = ring.renewed(NAMES, START.plus(Duration.ofDays(299)), LIFE).orElseThrow();

        for (KeyRing each : List.of(ring, prepared)) {
            KeyRing read = KeyRing.read(each.data());
            assertThat(texts(read.data())).isEqualTo(texts(each.data()));
            assertThat(read.server()).isEqualTo(each.server());
        }
        assertThat(ring.data()).doesNotContainKey("next.key");
        assertThat(prepared.data()).containsKey("next.key");
    }

    @Test
    void what_is_missing_or_does_not_belong_together_is_named() {
        Map<String, byte[]> data = KeyRing.made(NAMES, START, LIFE).data();
        Map<String, byte[]> other = KeyRing.made(NAMES, START, LIFE).data();

        for (String part : data.keySet()) {
            Map<String, byte[]> less = new TreeMap<>(data);
            less.remove(part);
            assertThatThrownBy(() -> KeyRing.read(less)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(part);
        }
        Map<String, byte[]> mixed = new TreeMap<>(data);
        mixed.put("ca.key", other.get("ca.key"));
        assertThatThrownBy(() -> KeyRing.read(mixed)).hasMessage("ca.key is the key of no certificate in ca.crt");
    }

    @Test
    void a_server_with_it_is_reached_by_its_name_by_who_trusts_it() throws Exception {
        KeyRing ring = KeyRing.made(NAMES, Instant.now(), LIFE);
        Timers timers = new Timers();
        HttpsEndpoint endpoint = new HttpsEndpoint(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), ring.server(),
                new InFlightLimiter(
                        new Limits(64, 1024, 64, 8, 8, Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(1))),
                timers);
        try (timers;
                AutoCloseable end = () -> endpoint.end(Duration.ZERO, Duration.ZERO);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting(ring)).build()) {
            endpoint.on("/", body -> body);
            endpoint.start();
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + endpoint.port() + "/"))
                    .POST(BodyPublishers.ofString("x")).build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("x");
        }
    }

    @Test
    void other_names_are_a_reason_to_renew_and_an_address_is_as_good_as_a_name() {
        KeyRing ring = KeyRing.made(NAMES, START, LIFE);
        List<String> others = List.of("localhost", "127.0.0.1", "::1");

        assertThat(ring.server().isFor(List.of("localhost"))).isTrue();
        assertThat(ring.server().isFor(others)).isFalse();
        KeyRing renewed = ring.renewed(others, START, LIFE).orElseThrow();
        assertThat(renewed.server().isFor(others)).isTrue();
        assertThat(renewed.server().isFor(NAMES)).isFalse();
        assertThat(isTrusted(ring.authorities(), renewed.server().chain().getFirst(), START)).isTrue();
        assertThat(renewed.renewed(others, START, LIFE)).isEmpty();
    }

    private static SSLContext trusting(KeyRing ring) throws Exception {
        KeyStore authorities = KeyStore.getInstance("PKCS12");
        authorities.load(null, null);
        for (X509Certificate certificate : ring.authorities()) {
            authorities.setCertificateEntry("authority", certificate);
        }
        TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(authorities);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    private static boolean isTrusted(List<X509Certificate> authorities, X509Certificate shown, Instant now) {
        return authorities.stream().anyMatch(authority -> {
            try {
                shown.verify(authority.getPublicKey());
                shown.checkValidity(Date.from(now));
                authority.checkValidity(Date.from(now));
                return authority.getBasicConstraints() >= 0
                        && shown.getIssuerX500Principal().equals(authority.getSubjectX500Principal());
            } catch (GeneralSecurityException e) {
                return false;
            }
        });
    }

    private static List<String> texts(Map<String, byte[]> data) {
        List<String> texts = new ArrayList<>();
        data.forEach((name, bytes) -> texts.add(name + new String(bytes, StandardCharsets.US_ASCII)));
        return texts;
    }
}
