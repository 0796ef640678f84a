package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Deletes, once, what a component that is switched off has left in the cluster. */
public final class CleanUp {
    private CleanUp() {}

    /** Of what {@link AdmissionRegistration#of} was given. */
    public static Controller of(
            String component, Set<AdmissionPhase> phases, HomeCluster home, ControllerContext context) {
        return of(new ManagedObjects(component, context.watchFilter(), phases).labelled(), home, context);
    }

    /**
     * Of objects with these labels.
     *
     * @param kinds in the order of deletion
     */
    public static Controller of(
            String component, Map<String, String> labels, List<Resource> kinds, HomeCluster home,
            ControllerContext context) {
        return of(new Labelled(component, labels, kinds), home, context);
    }

    private static Controller of(Labelled objects, HomeCluster home, ControllerContext context) {
        GarbageCollector garbage = new GarbageCollector(home.server(), objects, !context.dryRun());
        return ControllerBuilder
                .<AdmissionTask>ofFunction(objects.component() + "-cleanup", task -> garbage.collect(Map::of), context)
                .lanes(AdmissionTask::name, 1)
                .logs(task -> ObjectKey.clusterScoped("garbage"))
                .watches(queue -> queue.add(AdmissionTask.GARBAGE_COLLECTION))
                .build();
    }
}
