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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Has API servers ask one component before they store, from the certificate to the registration. */
public final class WebhookController implements Controller {
    /** For so long it goes on answering after it has stopped being ready: a Service sends callers elsewhere seconds later. */
    private static final Duration NOTICE = Duration.ofSeconds(5);

    private final AdmissionRegistration registration;
    private final ReconcileLoop<AdmissionTask> loop;
    private final WebhookServer webhookServer;
    private final InstantSource clock;
    private volatile @Nullable Instant retired;

    /** For the objects of the cluster that the process runs against. */
    public WebhookController(AdmissionRegistration registration, HomeCluster home, ControllerContext context) {
        LogOnce log = new LogOnce(LoggerFactory.getLogger(WebhookController.class));
        WebhookMeters meters = new WebhookMeters(context.registry(), registration, context.clock());
        this.registration = registration;
        this.clock = context.clock();
        this.webhookServer = new WebhookServer(registration, meters, context.timers(), log);
        registration.webhooks().ifPresent(webhooks -> meters.served(webhooks.get(), webhookServer::expires));
        registration.probe().ifPresent(meters::probed);
        this.loop = ControllerBuilder
                .<AdmissionTask>ofFunction(registration.objects().component(),
                        reconciler(home, meters, log, context.timers())::reconcile, context)
                .lanes(AdmissionTask::name, 1)
                .logs(task -> ObjectKey.clusterScoped(task.name().toLowerCase(Locale.ROOT)))
                .watches(new ManagedObjectWatches(registration, home))
                .build();
    }

    private WebhookReconciler reconciler(HomeCluster home, WebhookMeters meters, LogOnce log, Timers timers) {
        Rollover rollover = new Rollover();
        ManagedObjects objects = registration.objects();
        Registrar registrar = new Registrar(home, objects, registration.writes(), log, timers::nanoTime);
        List<Supplier<Registration>> registrations = new ArrayList<>();
        registration.webhooks().ifPresent(webhooks -> registrations.add(() -> new WebhookRegistration(
                registration, webhooks.get(), registrar, webhookServer, rollover, clock)));
        registration.policies().ifPresent(policies -> registrations.add(
                () -> new PolicyRegistration(objects, policies.get(), registrar)));
        CertificateSource certificates = registration.serving().secret().isPresent()
                ? new SecretCertificate(home, registration, clock, log)
                : new SelfSignedCertificate(home, registration, clock, log);
        return new WebhookReconciler(certificates, webhookServer, new NeededObjects(registrations),
                new GarbageCollector(home, objects.labelled(), registration.writes()), rollover,
                registration.probe().map(probe -> () -> probe.send(home.server(), objects)), meters, clock, this::due);
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
        Duration left = left(end);
        Duration notice = notice(left);
        webhookServer.end(notice, left.minus(notice));
        return finished;
    }

    /**
     * How long reviews are still answered: a Service sends callers elsewhere since it was retired.
     *
     * @param left of the time of all controllers
     */
    Duration notice(Duration left) {
        if (registration.webhooks().isEmpty()
                || !(registration.serving().clientConfig() instanceof WebhookClientConfig.InCluster)) {
            return Duration.ZERO;
        }
        Instant since = retired;
        Duration notice = since == null ? NOTICE : left(since.plus(NOTICE));
        return notice.compareTo(left) > 0 ? left : notice;
    }

    private Duration left(Instant end) {
        Duration left = Duration.between(clock.instant(), end);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Reviews are answered still: callers learn of it late. */
    @Override
    public void retire() {
        retired = clock.instant();
        loop.retire();
    }
}
