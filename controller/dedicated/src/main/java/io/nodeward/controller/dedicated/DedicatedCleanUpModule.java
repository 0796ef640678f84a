package io.nodeward.controller.dedicated;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.webhook.CleanUp;

/**
 * Installed while pods are not looked at when they are created: deletes, once, the webhook that has API servers ask about
 * them. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class DedicatedCleanUpModule extends AbstractModule {
    private final DedicatedConfig config;

    public DedicatedCleanUpModule(DedicatedConfig config) {
        this.config = config;
    }

    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(HomeCluster home, ControllerContext context) {
        return CleanUp.of(PodAdmissionModule.COMPONENT, PodAdmissionModule.PHASES, config.service, home, context);
    }
}
