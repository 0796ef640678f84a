package io.nodeward.controller.admission;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** Has taints judged before they are stored, from the certificate to what API servers are told. */
final class AdmissionRoom implements Room {
    private final ReconcileLoop<Duty> loop;
    private final AdmissionTriggers triggers;
    private final WebhookServer server;
    private final AdmissionSettings settings;
    private final InstantSource clock;
    private final Notice notice;

    @Inject
    AdmissionRoom(
            AdmissionReconciler reconciler,
            AdmissionTriggers triggers,
            WebhookServer server,
            AdmissionSettings settings,
            InstantSource clock,
            Timers timers,
            MeterRegistry registry) {
        this.loop = new ReconcileLoop<>("admission", Duty::name, 1,
                duty -> ObjectKey.clusterScoped(duty.name().toLowerCase(Locale.ROOT)), reconciler::reconcile, timers,
                registry);
        this.triggers = triggers;
        this.server = server;
        this.settings = settings;
        this.clock = clock;
        this.notice = new Notice(clock);
        reconciler.whenDue(this::due);
    }

    private void due(Duty duty, Duration after) {
        if (after.isPositive()) {
            loop.queue().addAfter(duty, after);
        } else {
            loop.queue().add(duty);
        }
    }

    @Override
    public String name() {
        return loop.name();
    }

    /** What it watches it watches itself: where another kind may not be read, taints are judged all the same. */
    @Override
    public boolean startAtOnce() {
        return true;
    }

    @Override
    public Optional<String> unready() {
        return settings.isWebhook() && !server.isOpen()
                ? Optional.of("the webhook is not served yet")
                : Optional.empty();
    }

    @Override
    public void start() {
        triggers.start(loop.queue());
        loop.start();
    }

    /** What API servers were told stays: they ask the next process, or whoever is left. */
    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        Instant end = clock.instant().plus(patience);
        triggers.stop();
        boolean finished = loop.stop(left(end));
        Duration given = settings.config().service instanceof CalledAt.InCluster
                ? notice.left(left(end))
                : Duration.ZERO;
        server.end(given, left(end).minus(given));
        return finished;
    }

    private Duration left(Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Reviews are answered still, as callers learn of it late. */
    @Override
    public void retire() {
        notice.give();
        loop.retire();
    }
}
