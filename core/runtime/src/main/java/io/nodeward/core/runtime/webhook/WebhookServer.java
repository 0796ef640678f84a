package io.nodeward.core.runtime.webhook;

import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.runtime.cluster.StateUnavailable;
import io.nodeward.core.runtime.https.Answering;
import io.nodeward.core.runtime.https.HttpsEndpoint;
import io.nodeward.core.runtime.https.InFlightLimiter;
import io.nodeward.core.runtime.https.Limits;
import io.nodeward.core.runtime.https.ServerKey;
import io.nodeward.core.runtime.metrics.WebhookRequestMeters;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.time.Timers;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the webhooks of one component from when there is a certificate. */
final class WebhookServer {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);
    /** etcd stores 1.5 MiB; a review has the object as it was and as it is to be. */
    private static final int LARGEST = 4 << 20;
    /** The bytes of bodies that come in or wait for a turn. */
    private static final int INCOMING_BYTES = 24 << 20;
    /** What is made of them takes some ten times this at worst, of the 256 MiB that the process has. */
    private static final int BYTES_AT_ONCE = 8 << 20;
    private static final int AT_ONCE = 16;
    /** Fewer than connections may be open: those that make room still get an answer. 64 KiB for each is what its connection takes. */
    private static final int WAITING = 384;
    /** Answers take milliseconds, so hundreds get a turn. */
    private static final Duration WAIT = Duration.ofMillis(1500);
    /** An API server waits 3 s from when it connects. */
    private static final Duration DEADLINE = Duration.ofMillis(2500);
    /** The time after which no caller waits for an answer. */
    private static final Duration LONGEST = Duration.ofSeconds(4);
    /** Of all components of the process together: they share its memory. */
    private static final InFlightLimiter LIMITER = new InFlightLimiter(
            new Limits(LARGEST, INCOMING_BYTES, BYTES_AT_ONCE, AT_ONCE, WAITING, WAIT, DEADLINE, LONGEST));

    private final AdmissionRegistration registration;
    private final WebhookMeters meters;
    private final Timers timers;
    private final LogOnce log;
    private @Nullable HttpsEndpoint endpoint;
    private boolean closed;

    WebhookServer(AdmissionRegistration registration, WebhookMeters meters, Timers timers, LogOnce log) {
        this.registration = registration;
        this.meters = meters;
        this.timers = timers;
        this.log = log;
    }

    /** Shows this key to new connections; false if the address cannot be listened on, which has been logged. */
    synchronized boolean show(ServerKey key) {
        HttpsEndpoint open = endpoint;
        if (open == null) {
            return closed || open(key);
        }
        if (!open.key().chain().equals(key.chain())) {
            LOG.info("showing a new certificate, good until {}", key.expires());
            open.change(key);
        }
        return true;
    }

    private boolean open(ServerKey key) {
        String what = "--" + registration.objects().component() + "-address";
        try {
            HttpsEndpoint opened = new HttpsEndpoint(registration.serving().address(), key, LIMITER, timers);
            answer(opened, registration.webhooks().orElseThrow().get());
            opened.start();
            endpoint = opened;
            log.resolved(what);
            LOG.info("answering reviews on port {}", opened.port());
            return true;
        } catch (IOException e) {
            log.warn(what, String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Answers these from now on; nothing before it is opened. */
    synchronized void answer(List<Webhook> webhooks) {
        HttpsEndpoint open = endpoint;
        if (open != null) {
            answer(open, webhooks);
        }
    }

    private void answer(HttpsEndpoint at, List<Webhook> webhooks) {
        webhooks.forEach(webhook -> at.on(webhook.path(), new Reviews(webhook, meters)));
    }

    /** When the certificate that is shown ends; empty while there is none. */
    synchronized Optional<Instant> expires() {
        return Optional.ofNullable(endpoint).map(open -> open.key().expires());
    }

    synchronized boolean isOpen() {
        return endpoint != null;
    }

    /**
     * Answers until then, and then nobody new.
     *
     * @param notice how long callers take to learn that they must go elsewhere
     * @param patience with those that are being answered after it
     */
    void end(Duration notice, Duration patience) throws InterruptedException {
        HttpsEndpoint open = last();
        if (open != null) {
            open.end(notice, patience);
        }
    }

    /** None is opened after it. Apart from ending it: whether it is open may be asked meanwhile. */
    private synchronized @Nullable HttpsEndpoint last() {
        closed = true;
        return endpoint;
    }

    /** Answers the AdmissionReviews that come to one path, and counts them. */
    static final class Reviews implements Answering {
        private static final int UNAVAILABLE = 503;
        /** The account of what is no review, or has so long a name that its namespace comes late. No namespace has this name. */
        private static final String NAMELESS = "?";

        private final Webhook webhook;
        private final Shape shape;
        private final WebhookMeters meters;
        private final WebhookRequestMeters requests;

        Reviews(Webhook webhook, WebhookMeters meters) {
            this.webhook = webhook;
            this.shape = AdmissionReviews.shape(webhook.shape());
            this.meters = meters;
            this.requests = meters.requests(webhook.path());
        }

        @Override
        public byte[] answer(byte[] body) throws IOException {
            AdmissionRequest request = read(body);
            AdmissionResponse response = decided(request);
            if (webhook.phase() == AdmissionPhase.VALIDATING && !response.patch().operations().isEmpty()) {
                throw new IllegalStateException(webhook.name() + " validates, and must not patch");
            }
            if (!(webhook.handler() instanceof AdmissionProbe)) { // of what users send nothing may come for hours
                meters.reviewed(request, response);
            }
            return AdmissionReviews.written(request.uid(), response);
        }

        /**
         * An API server would store an object unchecked if the webhook failed while the failure policy is {@code Ignore}, and tenants
         * can bring about that what it depends on is not known in time. What lacks the additions of a webhook that mutates is left to the
         * policy.
         */
        private AdmissionResponse decided(AdmissionRequest request) {
            try {
                return webhook.handler().handle(request);
            } catch (StateUnavailable e) {
                if (webhook.phase() == AdmissionPhase.MUTATING) {
                    throw e;
                }
                return AdmissionResponse.refused(
                        new AdmissionResponse.Refusal(UNAVAILABLE, "ServiceUnavailable",
                                String.valueOf(e.getMessage())));
            }
        }

        private AdmissionRequest read(byte[] body) throws IOException {
            try {
                return AdmissionReviews.read(body, shape);
            } catch (IOException e) {
                throw new IOException("the AdmissionReview cannot be read: " + e.getMessage(), e);
            }
        }

        /** An API server lets an object pass unchecked if it gets a Status while the failure policy is {@code Ignore}. */
        @Override
        public Optional<byte[]> refusal(byte[] start, Refusal refusal) {
            if (refusal.code() == UNAVAILABLE && webhook.phase() == AdmissionPhase.MUTATING) {
                return Optional.empty();
            }
            return AdmissionReviews.start(start).map(known -> {
                meters.refusedUnread();
                return AdmissionReviews.written(known.uid(), AdmissionResponse.refused(
                        new AdmissionResponse.Refusal(refusal.code(), refusal.reason(), refusal.message())));
            });
        }

        /** Namespaces share the server, so that a tenant who keeps it busy is the one who is refused. */
        @Override
        public String account(byte[] start) {
            return AdmissionReviews.start(start).flatMap(AdmissionReviews.Start::namespace).orElse(NAMELESS);
        }

        @Override
        public void began() {
            requests.began();
        }

        @Override
        public void ended(Optional<Integer> code, Duration took) {
            requests.ended(code, took);
        }
    }
}
