package io.nodeward.controller.admission;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.admission.AdmissionAnswer;
import io.nodeward.api.admission.AdmissionRequest;
import io.nodeward.core.rules.validation.DeclaringKind;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Meters of the admission room. */
final class AdmissionMeters {
    private static final String OTHER = "other";
    private static final String BUSY = "busy";

    private final MeterRegistry registry;
    private final InstantSource clock;
    private final AtomicInteger inForce = new AtomicInteger();
    private volatile Instant lastReview;

    AdmissionMeters(MeterRegistry registry, InstantSource clock) {
        this.registry = registry;
        this.clock = clock;
        this.lastReview = clock.instant();
        Gauge.builder("nodeward.admission.in.force", inForce, AtomicInteger::get)
                .description("1 while API servers have what they need to judge taints").register(registry);
    }

    /** The counters of reviews, from the start at 0, and when there was one: none may come though all is in force. */
    void countReviews() {
        Gauge.builder("nodeward.admission.since.review",
                () -> Duration.between(lastReview, clock.instant()).toSeconds())
                .baseUnit("seconds").description("Since a review was answered; since the start if none was")
                .register(registry);
        for (DeclaringKind kind : DeclaringKind.values()) {
            for (String verdict : new String[]{"allowed", "warned", "refused"}) {
                counter(kind.kind(), verdict);
            }
        }
        counter(OTHER, BUSY);
    }

    /** A review that was not read, as there was no place for it. */
    void busy() {
        counter(OTHER, BUSY).increment();
    }

    /** @param expires of the certificate that is shown; empty while there is none */
    void certificate(Supplier<Optional<Instant>> expires) {
        Gauge.builder("nodeward.admission.certificate.expiry", () -> expires.get()
                .map(end -> Duration.between(clock.instant(), end).toSeconds()).orElse(0L))
                .baseUnit("seconds").description("Until the certificate that is shown ends").register(registry);
    }

    void reviewed(AdmissionRequest request, AdmissionAnswer answer) {
        String kind = DeclaringKind.of(request.group(), request.kind()).map(DeclaringKind::kind).orElse(OTHER);
        String verdict = !answer.allowed() ? "refused" : answer.warnings().isEmpty() ? "allowed" : "warned";
        counter(kind, verdict).increment();
        lastReview = clock.instant();
    }

    private Counter counter(String kind, String verdict) {
        return Counter.builder("nodeward.admission.reviews").tag("kind", kind).tag("verdict", verdict)
                .description("Reviews by kind and verdict").register(registry);
    }

    void inForce(boolean is) {
        inForce.set(is ? 1 : 0);
    }
}
