package io.nodeward.core.runtime.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.core.runtime.metrics.WebhookRequestMeters;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Meters of one component, under its name. */
final class WebhookMeters {
    private static final String OTHER = "other";
    private static final String REFUSED = "refused";

    private final MeterRegistry registry;
    private final String prefix;
    private final List<GroupKind> counted;
    private final InstantSource clock;
    private final AtomicInteger inForce = new AtomicInteger();
    private final Map<String, WebhookRequestMeters> byPath = new ConcurrentHashMap<>();
    private volatile Instant lastReview;

    WebhookMeters(MeterRegistry registry, AdmissionRegistration registration, InstantSource clock) {
        this.registry = registry;
        this.prefix = "nodeward." + registration.objects().component() + ".";
        this.counted = registration.counted();
        this.clock = clock;
        this.lastReview = clock.instant();
        Gauge.builder(prefix + "in.force", inForce, AtomicInteger::get)
                .description("1 while API servers have what they need to ask or to decide").register(registry);
    }

    /**
     * The counters of reviews, from the start at 0, and when there was one: none may come though all is in force.
     *
     * @param expires of the certificate that is shown; empty while there is none
     */
    void served(List<Webhook> webhooks, Supplier<Optional<Instant>> expires) {
        webhooks.forEach(webhook -> requests(webhook.path()));
        Gauge.builder(prefix + "certificate.expiry", () -> expires.get()
                .map(end -> Duration.between(clock.instant(), end).toSeconds()).orElse(0L))
                .baseUnit("seconds").description("Until the certificate that is shown ends").register(registry);
        Gauge.builder(prefix + "since.review",
                () -> Duration.between(lastReview, clock.instant()).toSeconds())
                .baseUnit("seconds").description("Since a review was answered; since the start if none was")
                .register(registry);
        for (GroupKind kind : counted) {
            for (String verdict : new String[]{"allowed", "warned", REFUSED}) {
                counter(kind.kind(), verdict);
            }
        }
        counter(OTHER, REFUSED);
    }

    /** Whether the last probe has succeeded, beside whether all is registered. */
    void probed(AdmissionProbe probe) {
        Gauge.builder(prefix + "reached", probe, any -> any.unproved().isEmpty() ? 1 : 0)
                .description("1 while the last probe has shown that an API server reaches the webhook")
                .register(registry);
    }

    /** A review that is too long, or cannot be read, and is refused for that. */
    void refusedUnread() {
        counter(OTHER, REFUSED).increment();
        lastReview = clock.instant();
    }

    /** Of the requests to one path. */
    WebhookRequestMeters requests(String path) {
        return byPath.computeIfAbsent(path, any -> new WebhookRequestMeters(registry, path));
    }

    void reviewed(AdmissionRequest request, AdmissionResponse answer) {
        String kind = counted.contains(new GroupKind(request.kind().group(), request.kind().kind()))
                ? request.kind().kind()
                : OTHER;
        String verdict = !answer.isAllowed() ? REFUSED : answer.warnings().isEmpty() ? "allowed" : "warned";
        counter(kind, verdict).increment();
        lastReview = clock.instant();
    }

    private Counter counter(String kind, String verdict) {
        return Counter.builder(prefix + "reviews").tag("kind", kind).tag("verdict", verdict)
                .description("Reviews by kind and verdict").register(registry);
    }

    void inForce(boolean is) {
        inForce.set(is ? 1 : 0);
    }
}
