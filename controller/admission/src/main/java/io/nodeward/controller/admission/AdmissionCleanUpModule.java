package io.nodeward.controller.admission;

import com.google.inject.AbstractModule;
import com.google.inject.Singleton;
import com.google.inject.multibindings.ProvidesIntoSet;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.webhook.WebhookCleanUp;

/**
 * Installed while the gate of the admission controller is off: deletes, once, what the controller has left in the
 * cluster. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class AdmissionCleanUpModule extends AbstractModule {
    private final String watchFilter;
    private final boolean dryRun;

    /**
     * Needs nothing but what is given.
     *
     * @param watchFilter that the controller had: what another Nodeward has made stays
     * @param dryRun log, but write nothing
     */
    public AdmissionCleanUpModule(String watchFilter, boolean dryRun) {
        this.watchFilter = watchFilter;
        this.dryRun = dryRun;
    }

    @ProvidesIntoSet
    @Singleton
    Controller cleanUp(ManagementCluster management, Timers timers, MeterRegistry registry) {
        return new WebhookCleanUp(
                AdmissionSettings.objects(watchFilter), !dryRun, management, timers, registry);
    }
}
