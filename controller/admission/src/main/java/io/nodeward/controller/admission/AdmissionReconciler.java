package io.nodeward.controller.admission;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does one of the room's duties, and says which others are due then. */
final class AdmissionReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(AdmissionReconciler.class);
    /** What is refused may be taken later: the namespace may come, or somebody's policy change. */
    private static final Duration REFUSED = Duration.ofMinutes(1);
    /** What a process that was being replaced has put back meanwhile goes as well. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final Certificates certificates;
    private final Registration registration;
    private final Leftovers leftovers;
    private final Rollover rollover;
    private final AdmissionMeters meters;
    private final InstantSource clock;
    private volatile BiConsumer<Duty, Duration> due = (duty, after) -> {};
    /** What was needed when it was last looked for what is not. */
    private volatile Map<Resource, Set<ObjectKey>> kept = Map.of();

    AdmissionReconciler(
            Certificates certificates,
            Registration registration,
            Leftovers leftovers,
            Rollover rollover,
            AdmissionMeters meters,
            InstantSource clock) {
        this.certificates = certificates;
        this.registration = registration;
        this.leftovers = leftovers;
        this.rollover = rollover;
        this.meters = meters;
        this.clock = clock;
    }

    /** @param told which duty is due, and after how long */
    void whenDue(BiConsumer<Duty, Duration> told) {
        due = told;
    }

    Result reconcile(Duty duty) {
        try {
            return switch (duty) {
                case CERTIFICATE -> certificate();
                case REGISTRATION -> registration();
                case LEFTOVERS -> leftovers.remove(registration.needed()) == 0
                        ? Result.done()
                        : Result.requeueAfter(ONCE_MORE, "whoever needed them to be gone");
            };
        } catch (ApiFailure.Rejected | ApiFailure.NotFound refused) {
            LOG.warn("{}; again in a minute", refused.getMessage());
            return Result.requeueAfter(Timers.jittered(REFUSED), "what was refused to be taken");
        }
    }

    private Result certificate() {
        List<X509Certificate> before = rollover.trusted();
        boolean first = !certificates.isServing();
        Result result = certificates.look();
        if (certificates.isServing() && (first || !rollover.trusted().equals(before))) {
            due.accept(Duty.REGISTRATION, Duration.ZERO);
        }
        return result;
    }

    /** What could not be looked at or written is not known to be in force. */
    private Result ensured() {
        boolean done = false;
        try {
            Result result = registration.ensure();
            done = true;
            return result;
        } finally {
            if (!done) {
                meters.inForce(false);
            }
        }
    }

    private Result registration() {
        Result result = ensured();
        rollover.left(clock.instant()).ifPresent(left -> due.accept(Duty.CERTIFICATE, left));
        Map<Resource, Set<ObjectKey>> needed = registration.needed();
        if (result instanceof Result.Done && !needed.equals(kept)) {
            kept = needed;
            due.accept(Duty.LEFTOVERS, Duration.ZERO); // not before: what they did has to be done meanwhile
        }
        return result;
    }
}
