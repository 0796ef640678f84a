package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one of the tasks of a component, and says which others are due then. */
final class WebhookReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookReconciler.class);
    /** A refused write may be taken later: the namespace may come, or somebody's policy change. */
    private static final Duration REFUSED = Duration.ofMinutes(1);

    private final Optional<ServingCertificate> certificate;
    private final List<Registration> registrations;
    private final GarbageCollector garbage;
    private final Rollover rollover;
    private final WebhookMeters meters;
    private final InstantSource clock;
    private final NeededObjects needed;
    private volatile BiConsumer<AdmissionTask, Duration> due = (task, after) -> {};

    /** @param certificate empty if nothing is served */
    WebhookReconciler(
            Optional<ServingCertificate> certificate,
            List<Registration> registrations,
            GarbageCollector garbage,
            Rollover rollover,
            WebhookMeters meters,
            InstantSource clock) {
        this.certificate = certificate;
        this.registrations = List.copyOf(registrations);
        this.needed = new NeededObjects(this.registrations);
        this.garbage = garbage;
        this.rollover = rollover;
        this.meters = meters;
        this.clock = clock;
    }

    /** @param queue takes the task that is due, and after how long */
    void whenDue(BiConsumer<AdmissionTask, Duration> queue) {
        due = queue;
    }

    Result reconcile(AdmissionTask task) {
        try {
            return switch (task) {
                case CERTIFICATE -> certificate.map(this::ensure).orElse(Result.done());
                case REGISTRATION -> registration();
                case GARBAGE_COLLECTION -> garbage.collect(needed::all);
            };
        } catch (ApiFailure.Rejected | ApiFailure.NotFound refused) {
            LOG.warn("{}; again in a minute", refused.getMessage());
            return Result.requeueAfter(Timers.jittered(REFUSED), "what was refused to be taken");
        }
    }

    private Result ensure(ServingCertificate serving) {
        List<X509Certificate> before = rollover.trusted();
        boolean first = !serving.isServing();
        Result result = serving.ensure();
        if (serving.isServing() && (first || !rollover.trusted().equals(before))) {
            due.accept(AdmissionTask.REGISTRATION, Duration.ZERO);
        }
        return result;
    }

    private Result registration() {
        Registration.Ensured all = registered();
        rollover.left(clock.instant()).ifPresent(left -> due.accept(AdmissionTask.CERTIFICATE, left));
        if (all.settled() && needed.settle()) {
            due.accept(AdmissionTask.GARBAGE_COLLECTION, Duration.ZERO); // not before: what they did has to be done meanwhile
        }
        return all.result();
    }

    /** What could not be looked at or written is not known to be in force. */
    private Registration.Ensured registered() {
        boolean inForce = false;
        try {
            List<Registration> pass = registrations.stream().map(Registration::now).toList();
            needed.begin(pass);
            Registration.Ensured all = new Registration.Ensured(true, true, Result.done());
            for (Registration registration : pass) {
                all = all.and(registration.ensure());
            }
            inForce = all.inForce();
            return all;
        } finally {
            meters.inForce(inForce);
        }
    }
}
