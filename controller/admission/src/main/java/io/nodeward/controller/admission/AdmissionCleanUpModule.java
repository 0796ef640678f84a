package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.CleanUp;

/**
 * Installed while the gate of the admission controller is off: deletes, once, what the controller has left in the
 * cluster. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class AdmissionCleanUpModule extends AbstractModule {
    private final AdmissionConfig config;

    public AdmissionCleanUpModule(AdmissionConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(HomeCluster home, ControllerContext context) {
        return CleanUp.of(AdmissionSettings.COMPONENT, AdmissionSettings.PHASES, config.service, home, context);
    }
}
