package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import java.util.Map;
import java.util.Set;

/** Deletes, once, what a component that is switched off has left in the cluster. */
public final class WebhookCleanUp {
    private WebhookCleanUp() {}

    /** Of what {@link AdmissionRegistration#of} was given. */
    public static Controller of(
            String component, Set<AdmissionPhase> phases, HomeCluster home, ControllerContext context) {
        GarbageCollector garbage = new GarbageCollector(
                home.server(), new ManagedObjects(component, context.watchFilter(), phases), !context.dryRun());
        return ControllerBuilder
                .<AdmissionTask>ofFunction(component + "-cleanup", task -> garbage.collect(Map::of), context)
                .lanes(AdmissionTask::name, 1)
                .logs(task -> ObjectKey.clusterScoped("garbage"))
                .watches(queue -> queue.add(AdmissionTask.GARBAGE_COLLECTION))
                .build();
    }
}
