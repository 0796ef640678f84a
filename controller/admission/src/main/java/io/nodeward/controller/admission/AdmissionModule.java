package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.admission.WebhookConfiguration;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.https.Rollover;
import io.nodeward.core.runtime.time.Timers;
import java.time.InstantSource;

/** Installs the admission room. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class AdmissionModule extends AbstractModule {
    private final AdmissionSettings settings;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off blocks setting taints
     * @param watchFilter judge only objects whose watch-filter label has this value; empty for all
     * @param observe log, but write nothing
     */
    public AdmissionModule(AdmissionConfig config, boolean propagatesTaints, String watchFilter, boolean observe) {
        this.settings = new AdmissionSettings(config, new Own(watchFilter), propagatesTaints, !observe);
    }

    @Override
    protected void configure() {
        Multibinder.newSetBinder(binder(), Room.class).addBinding()
                .to(AdmissionRoom.class).in(Singleton.class);
    }

    @Provides
    AdmissionSettings settings() {
        return settings;
    }

    @Provides
    @Singleton
    Leftovers leftovers(ManagementCluster management) {
        return new Leftovers(management.server(), settings.own(), settings.writes());
    }

    @Provides
    @Singleton
    Said said() {
        return new Said();
    }

    @Provides
    @Singleton
    Rollover rollover() {
        return new Rollover(Certificates.SETTLING);
    }

    @Provides
    @Singleton
    AdmissionMeters meters(MeterRegistry registry, InstantSource clock) {
        return new AdmissionMeters(registry, clock);
    }

    @Provides
    @Singleton
    ObjectCache<WebhookConfiguration> configurations() {
        return new ObjectCache<>();
    }

    @Provides
    @Singleton
    UpstreamWebhooks upstream(ObjectCache<WebhookConfiguration> configurations) {
        return new UpstreamWebhooks(configurations);
    }

    @Provides
    @Singleton
    AdmissionTriggers triggers(
            ManagementCluster management,
            Timers timers,
            UpstreamWebhooks upstream,
            ObjectCache<WebhookConfiguration> configurations) {
        return new AdmissionTriggers(settings, management, timers, upstream, configurations);
    }

    @Provides
    @Singleton
    WebhookServer server(
            UpstreamWebhooks upstream, AdmissionMeters meters, Timers timers, Said said) {
        Reviewer reviewer = new Reviewer(kind -> settings.policy(upstream.validate(kind)));
        WebhookServer server =
                new WebhookServer(settings.config().address, new Reviews(reviewer, meters), timers, said);
        if (settings.isWebhook()) {
            meters.countReviews();
            meters.certificate(server::expires);
        }
        return server;
    }

    @Provides
    @Singleton
    AdmissionReconciler reconciler(
            ManagementCluster management,
            WebhookServer server,
            UpstreamWebhooks upstream,
            Leftovers leftovers,
            Rollover rollover,
            AdmissionMeters meters,
            InstantSource clock,
            Said said) {
        Secrets secrets = new Secrets(management.server());
        KeySource source = settings.isSelfIssued()
                ? new OwnKey(secrets, settings, clock, said)
                : new GivenKey(secrets, settings.secret(), settings.config().service, clock, said);
        Registrar registrar = new Registrar(management.server(), settings.own(), settings.writes(), said);
        Registration registration = settings.isWebhook()
                ? new WebhookRegistration(settings, registrar, server, rollover, meters, clock)
                : new PolicyRegistration(settings, registrar, upstream, meters);
        Certificates certificates = new Certificates(source, rollover, server, clock);
        return new AdmissionReconciler(certificates, registration, leftovers, rollover, meters, clock);
    }
}
