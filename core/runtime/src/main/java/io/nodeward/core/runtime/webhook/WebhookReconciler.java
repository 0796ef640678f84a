package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.https.ServerKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.webhook.Registration.Ensured;
import io.nodeward.core.spi.ApiFailure;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does one of the tasks of a component, and says which others are due then.
 *
 * @param probe sends one
 * @param due takes the task that is due, and after how long
 */
record WebhookReconciler(CertificateSource certificates, WebhookServer server, NeededObjects needed,
        GarbageCollector garbage, Rollover rollover, Optional<Supplier<Result>> probe, WebhookMeters meters,
        InstantSource clock, BiConsumer<AdmissionTask, Duration> due) {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookReconciler.class);
    /** A refused write may be taken later: the namespace may come, or somebody's policy change. */
    private static final Duration REFUSED = Duration.ofMinutes(1);
    /** The time between looks at a certificate that nobody has changed. No event tells that the clock was set back. */
    private static final Duration LOOK = Duration.ofMinutes(10);
    private static final Duration UNTIL_FREE = Duration.ofSeconds(10);

    Result reconcile(AdmissionTask task) {
        try {
            return switch (task) {
                case CERTIFICATE -> certificate();
                case REGISTRATION -> registration();
                case GARBAGE_COLLECTION -> garbage.collect(needed::all);
                case PROBE -> probe.orElseThrow().get();
            };
        } catch (ApiFailure.Rejected | ApiFailure.NotFound refused) {
            LOG.warn("{}; again in a minute", refused.getMessage());
            return Result.requeueAfter(Timers.jittered(REFUSED), "what was refused to be taken");
        }
    }

    private Result certificate() {
        Instant now = clock.instant();
        List<X509Certificate> before = rollover.trusted();
        boolean first = !server.isOpen();
        Optional<ApiFailure.NotLeading> postponed = aim(now);
        Optional<ServerKey> key = rollover.step(now);
        boolean shown = key.isPresent() && show(key.get(), first, before);
        if (shown || key.isEmpty()) {
            postponed.ifPresent(standby -> {
                throw standby;
            });
        }
        if (key.isEmpty()) {
            return Result.waiting("a certificate");
        }
        return shown
                ? Result.requeueAfter(
                        rollover.left(now).orElseGet(() -> Timers.jittered(LOOK)), "the certificate to need a change")
                : Result.requeueAfter(Timers.jittered(UNTIL_FREE), "the address to be free");
    }

    /** Aims at the certificate. Returns why a change that is due is left to the leader: what is stored serves meanwhile. */
    private Optional<ApiFailure.NotLeading> aim(Instant now) {
        try {
            certificates.current(rollover.isThere(now) || rollover.isUrgent(now)).ifPresent(rollover::aim);
            return Optional.empty();
        } catch (ApiFailure.NotLeading standby) {
            certificates.stored().ifPresent(rollover::aim);
            return Optional.of(standby);
        }
    }

    private boolean show(ServerKey key, boolean first, List<X509Certificate> before) {
        boolean shown = server.show(key);
        if (server.isOpen() && (first || !rollover.trusted().equals(before))) {
            due.accept(AdmissionTask.REGISTRATION, Duration.ZERO);
        }
        return shown;
    }

    private Result registration() {
        Ensured all = registered();
        rollover.left(clock.instant()).ifPresent(left -> due.accept(AdmissionTask.CERTIFICATE, left));
        if (all.settled() && needed.settle()) {
            due.accept(AdmissionTask.GARBAGE_COLLECTION, Duration.ZERO); // not before: what they did has to be done meanwhile
        }
        if (all.inForce() && probe.isPresent()) {
            due.accept(AdmissionTask.PROBE, Duration.ZERO);
        }
        return all.result();
    }

    /** What could not be looked at or written is not known to be in force. */
    private Ensured registered() {
        boolean inForce = false;
        try {
            Ensured all = Ensured.accepted(true);
            for (Registration registration : needed.begin()) {
                all = all.and(registration.ensure());
            }
            inForce = all.inForce();
            return all;
        } finally {
            meters.inForce(inForce);
        }
    }
}
