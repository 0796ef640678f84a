package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.ServingOptions;
import io.nodeward.core.runtime.webhook.WebhookConfigurationWatch;
import io.nodeward.core.runtime.webhook.WebhookController;
import java.util.Optional;

/** Installs the admission controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class AdmissionModule extends AbstractModule {
    private final AdmissionConfig config;
    private final boolean propagatesTaints;
    private final boolean deviceTaints;
    private final boolean listAttributes;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off blocks setting taints
     * @param deviceTaints the gate DeviceTaints: off leaves DeviceTaintRules to their schema
     * @param listAttributes whether the cluster has attributes of devices that are lists
     */
    public AdmissionModule(
            AdmissionConfig config, boolean propagatesTaints, boolean deviceTaints, boolean listAttributes) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.deviceTaints = deviceTaints;
        this.listAttributes = listAttributes;
    }

    @ProvidesIntoSet
    @Singleton
    Controller admission(HomeCluster home, ControllerContext context) {
        AdmissionSettings settings = new AdmissionSettings(config, propagatesTaints, deviceTaints, listAttributes);
        AdmissionRegistration nothing =
                AdmissionRegistration.of(AdmissionSettings.COMPONENT, AdmissionSettings.PHASES,
                        new ServingOptions(config.address, config.service, Optional.ofNullable(config.secret)),
                        context);
        UpstreamWebhooks upstream = new UpstreamWebhooks();
        // Before it is known who else validates, a gate that is off would block too much.
        WebhookConfigurationWatch configurations = new WebhookConfigurationWatch(
                AdmissionPhase.VALIDATING, nothing.objects(), home, upstream::look);
        return new WebhookController(
                new TaintRegistration(settings, upstream).addTo(nothing.withInputs(configurations)), home, context);
    }
}
