package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.MACHINES;
import static io.nodeward.e2e.admission.AdmissionSuite.WEBHOOK;
import static io.nodeward.e2e.admission.AdmissionSuite.machine;
import static io.nodeward.e2e.admission.AdmissionSuite.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * Calls of a webhook without a pause: by the API server, which keeps its connections and hears of a change at once; and as one
 * does that hears of it three seconds late, with a connection for each call.
 */
final class Calls {
    private static final Duration LATE = Duration.ofSeconds(3);
    /** Whoever has heard nothing for longer is promised nothing: this machine was too slow to be a server. */
    private static final Duration OLDEST = Duration.ofSeconds(5);
    private static final String DISTRUST = "distrusted: ";
    private static final int FEWEST = 51;
    private static final String REVIEW = """
            {"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","operation":"CREATE",
             "kind":{"group":"cluster.x-k8s.io","version":"v1beta2","kind":"Machine"},"object":%s}}"""
            .formatted(machine("late", "a-:NoSchedule"));

    private final AdmissionSuite suite;
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<AdminClient.Reply> replies = new CopyOnWriteArrayList<>();
    private final List<String> late = new CopyOnWriteArrayList<>();
    private final Thread server = Thread.ofVirtual().unstarted(this::write);
    private final Thread lateServer = Thread.ofVirtual().unstarted(this::callLate);

    private record Known(long since, String url, String authorities) {
        boolean isTooOld() {
            return System.nanoTime() - since >= OLDEST.toNanos();
        }
    }

    private Calls(AdmissionSuite suite) {
        this.suite = suite;
    }

    /** From when the webhook is in force. */
    static Calls begin(AdmissionSuite suite) {
        soon().until(() -> suite.offered(MACHINES, machine("a", "a-:NoSchedule")).code() == 422);
        Calls calls = new Calls(suite);
        calls.server.start();
        calls.lateServer.start();
        soon().until(() -> !calls.late.isEmpty());
        return calls;
    }

    private void write() {
        while (!over.get()) {
            replies.add(suite.offered(MACHINES, machine("a", "a-:NoSchedule")));
        }
    }

    private void callLate() {
        Deque<Known> heard = new ArrayDeque<>();
        Known known = heard();
        while (!over.get()) {
            heard.add(heard());
            while (!heard.isEmpty() && System.nanoTime() - heard.getFirst().since() > LATE.toNanos()) {
                known = heard.removeFirst();
            }
            if (known.isTooOld()) {
                continue;
            }
            String said = called(known);
            // A call that was begun in time may become old before it meets the certificate; however long it takes, an
            // answer, a refusal and a time-out tell of the webhook.
            if (!(said.startsWith(DISTRUST) && known.isTooOld())) {
                late.add(said);
            }
        }
    }

    private Known heard() {
        long since = System.nanoTime();
        JsonNode client = suite.admin().get(WEBHOOK).at("/webhooks/0/clientConfig");
        byte[] pem = Base64.getDecoder().decode(client.path("caBundle").asText());
        return new Known(since, client.path("url").asText(), new String(pem, StandardCharsets.US_ASCII));
    }

    private static String called(Known known) {
        Kubeconfig webhook = new Kubeconfig(known.url(), known.authorities(), new Kubeconfig.Token("none"));
        try (AdminClient client = new AdminClient(webhook)) {
            return client.send("POST", "", AdminClient.JSON, REVIEW).body().at("/response/status/message").asText();
        } catch (RuntimeException e) {
            return (isDistrust(e) ? DISTRUST : "failed: ") + e.getCause();
        }
    }

    private static boolean isDistrust(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .anyMatch(CertificateException.class::isInstance);
    }

    /** After so many calls more, and not before there were enough. */
    void endAfter(int more) throws InterruptedException {
        int until = Math.max(FEWEST, replies.size() + more);
        int lateUntil = Math.max(FEWEST, late.size() + more);
        soon().until(() -> replies.size() >= until && late.size() >= lateUntil);
        over.set(true);
        server.join();
        lateServer.join();
        assertThat(replies).hasSizeGreaterThanOrEqualTo(FEWEST).allSatisfy(reply -> {
            assertThat(reply.code()).as("%s", reply.body()).isEqualTo(422);
            assertThat(reply.body().path("message").asText()).contains("no Node accepts it");
        });
        assertThat(late).hasSizeGreaterThanOrEqualTo(FEWEST)
                .allSatisfy(said -> assertThat(said).contains("no Node accepts it"));
    }
}
