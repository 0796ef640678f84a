package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.LoggerFactory;

/** Has API servers ask one component before they store, from the certificate to the registration. */
public final class WebhookController implements Controller {
    private final AdmissionRegistration registration;
    private final ReconcileLoop<AdmissionTask> loop;
    private final WebhookServer webhookServer;
    private final InstantSource clock;
    private final ShutdownDelay delay;

    /** For the objects of the cluster that the process runs against. */
    public WebhookController(AdmissionRegistration registration, HomeCluster home, ControllerContext context) {
        LogOnce log = new LogOnce(LoggerFactory.getLogger(WebhookController.class));
        WebhookMeters meters = new WebhookMeters(context.registry(), registration, context.clock());
        this.registration = registration;
        this.clock = context.clock();
        this.delay = new ShutdownDelay(clock);
        this.webhookServer = new WebhookServer(registration, meters, context.timers(), log);
        registration.webhooks().ifPresent(webhooks -> {
            meters.countReviews(webhooks.get());
            meters.certificate(webhookServer::expires);
        });
        WebhookReconciler reconciler = reconciler(home, meters, log, context.timers());
        this.loop = ControllerBuilder
                .<AdmissionTask>ofFunction(registration.objects().component(), reconciler::reconcile, context)
                .lanes(AdmissionTask::name, 1)
                .logs(task -> ObjectKey.clusterScoped(task.name().toLowerCase(Locale.ROOT)))
                .watches(new ManagedObjectWatches(registration, home.server(), home.informers()))
                .build();
        reconciler.whenDue(this::due);
    }

    private WebhookReconciler reconciler(HomeCluster home, WebhookMeters meters, LogOnce log, Timers timers) {
        Rollover rollover = new Rollover(ServingCertificate.SETTLING);
        Registrar registrar =
                new Registrar(home, registration.objects(), registration.writes(), log, timers::nanoTime);
        List<Registration> registrations = new ArrayList<>();
        registration.webhooks().ifPresent(webhooks -> registrations.add(
                new WebhookRegistration(registration, webhooks, registrar, webhookServer, rollover, clock)));
        registration.policies().ifPresent(
                policies -> registrations.add(new PolicyRegistration(registration.objects(), policies, registrar)));
        Optional<ServingCertificate> certificate = registration.webhooks().map(webhooks -> new ServingCertificate(
                source(new Secrets(home, registration.objects()), log), rollover, webhookServer, clock));
        GarbageCollector garbage =
                new GarbageCollector(home, registration.objects().labelled(), registration.writes());
        return new WebhookReconciler(certificate, registrations, garbage, rollover, meters, clock);
    }

    private CertificateSource source(Secrets secrets, LogOnce log) {
        return registration.serving().secret()
                .<CertificateSource>map(
                        key -> new SecretCertificate(secrets, key, registration.serving().clientConfig(), clock, log))
                .orElseGet(() -> new SelfSignedCertificate(secrets, registration, clock, log));
    }

    private void due(AdmissionTask task, Duration after) {
        if (after.isPositive()) {
            loop.queue().addAfter(task, after);
        } else {
            loop.queue().add(task);
        }
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public Optional<String> unready() {
        return registration.webhooks().isPresent() && !webhookServer.isOpen()
                ? Optional.of("the webhook is not served yet")
                : Optional.empty();
    }

    @Override
    public void start() {
        loop.start();
    }

    ReconcileLoop<AdmissionTask> loop() {
        return loop;
    }

    /** The registration stays: API servers ask the next process, or another replica. */
    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        Instant end = clock.instant().plus(patience);
        boolean finished = loop.stop(left(end));
        Duration given = isBehindService() ? delay.left(left(end)) : Duration.ZERO;
        webhookServer.end(given, left(end).minus(given));
        return finished;
    }

    private boolean isBehindService() {
        return registration.webhooks().isPresent()
                && registration.serving().clientConfig() instanceof WebhookClientConfig.InCluster;
    }

    private Duration left(Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Reviews are answered still: callers learn of it late. */
    @Override
    public void retire() {
        delay.start();
        loop.retire();
    }
}
