package io.nodeward.core.runtime.webhook;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.Map;

/** Deletes, once, what a component that is switched off has left in the cluster. */
public final class WebhookCleanUp implements Controller {
    private final ReconcileLoop<AdmissionTask> loop;

    /** @param writes false: only log */
    public WebhookCleanUp(
            ManagedObjects objects, boolean writes, ManagementCluster management, Timers timers,
            MeterRegistry registry) {
        GarbageCollector garbage = new GarbageCollector(management.server(), objects, writes);
        this.loop = new ReconcileLoop<>(objects.component() + "-cleanup", AdmissionTask::name, 1,
                task -> ObjectKey.clusterScoped("garbage"), task -> garbage.collect(Map::of), timers, registry);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        loop.queue().add(AdmissionTask.GARBAGE_COLLECTION);
        loop.start();
    }

    @Override
    public void retire() {
        loop.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        return loop.stop(patience);
    }
}
