package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.WebhookConfigurationWatch;
import io.nodeward.core.runtime.webhook.WebhookController;
import java.time.InstantSource;

/** Installs the admission controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class AdmissionModule extends AbstractModule {
    private final AdmissionSettings settings;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off blocks setting taints
     * @param watchFilter judge only objects whose watch-filter label has this value; empty for all
     * @param dryRun log, but write nothing
     */
    public AdmissionModule(AdmissionConfig config, boolean propagatesTaints, String watchFilter, boolean dryRun) {
        this.settings =
                new AdmissionSettings(config, AdmissionSettings.objects(watchFilter), propagatesTaints, !dryRun);
    }

    @ProvidesIntoSet
    @Singleton
    Controller admission(ManagementCluster management, Timers timers, InstantSource clock, MeterRegistry registry) {
        UpstreamWebhooks upstream = new UpstreamWebhooks();
        // Before it is known who else validates, a gate that is off would block too much.
        WebhookConfigurationWatch configurations = new WebhookConfigurationWatch(
                AdmissionPhase.VALIDATING, settings.objects(), management, upstream::look);
        return new WebhookController(new TaintRegistration(settings, upstream).registration(configurations),
                management, timers, clock, registry);
    }
}
