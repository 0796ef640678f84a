package io.nodeward.controller.admission;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Locale;

/** Has taints judged before they are stored, from the certificate to what API servers are told. */
final class AdmissionRoom implements Room {
    private final Controller<Duty> controller;
    private final AdmissionTriggers triggers;
    private final WebhookServer server;

    @Inject
    AdmissionRoom(
            AdmissionReconciler reconciler,
            AdmissionTriggers triggers,
            WebhookServer server,
            Timers timers,
            MeterRegistry registry) {
        this.controller = new Controller<>("admission", Duty::name, 1,
                duty -> ObjectKey.clusterScoped(duty.name().toLowerCase(Locale.ROOT)), reconciler::reconcile, timers,
                registry);
        this.triggers = triggers;
        this.server = server;
        reconciler.whenDue(this::due);
    }

    private void due(Duty duty, Duration after) {
        if (after.isPositive()) {
            controller.queue().addAfter(duty, after);
        } else {
            controller.queue().add(duty);
        }
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public void start() {
        triggers.start(controller.queue());
        controller.start();
    }

    /** What API servers were told stays: they ask the next process, or whoever is left. */
    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        triggers.stop();
        boolean finished = controller.stop(patience);
        server.close();
        return finished;
    }
}
