package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Deletes, once, what a component that is switched off has left in the cluster. */
public final class CleanUp implements Controller {
    private final GarbageCollector garbage;
    private final String component;
    private final boolean writes;
    private final Controller loop;

    private CleanUp(Labelled objects, HomeCluster home, ControllerContext context) {
        this.component = objects.component();
        this.writes = !context.dryRun();
        this.garbage = new GarbageCollector(home, objects, writes);
        this.loop = ControllerBuilder
                .<AdmissionTask>ofFunction(nameFor(objects.component()), task -> garbage.collectAll(), context)
                .lanes(AdmissionTask::name, 1)
                .logs(task -> ObjectKey.clusterScoped("garbage"))
                .watches(queue -> queue.add(AdmissionTask.GARBAGE_COLLECTION))
                .build();
    }

    /** The name of the controller that cleans up after a component. */
    public static String nameFor(String component) {
        return component + "-cleanup";
    }

    /**
     * Of what {@link AdmissionRegistration#of} was given.
     *
     * @param service where API servers called it; only what has been registered there is deleted
     */
    public static Controller of(
            String component, Set<AdmissionPhase> phases, WebhookClientConfig service, HomeCluster home,
            ControllerContext context) {
        return new CleanUp(
                new ManagedObjects(component, context.watchFilter(), phases, service).ofService(), home, context);
    }

    /**
     * Of objects with these labels.
     *
     * @param kinds in the order of deletion
     */
    public static Controller of(
            String component, Map<String, String> labels, List<Resource> kinds, HomeCluster home,
            ControllerContext context) {
        return new CleanUp(new Labelled(component, labels, List.of(), kinds, Set.of(), Optional.empty()),
                home, context);
    }

    /**
     * Deletes all of it now, without a start.
     *
     * @return what is there still, or why that is not known; nothing in a dry run
     */
    public List<String> run() {
        try {
            garbage.removeAll();
            return writes ? garbage.left() : List.of();
        } catch (ApiFailure failure) { // it must not keep those of other components
            return List.of("what " + component + " has left (" + failure.getMessage() + ")");
        }
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
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
