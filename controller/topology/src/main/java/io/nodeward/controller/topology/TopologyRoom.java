package io.nodeward.controller.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;

/** The controller of taints on their way to Machines, from its triggers to its reconciler. */
final class TopologyRoom implements Controller {
    /** What is to be said of an object is said once for all below it that change together. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    private final ReconcileLoop<Task> loop;
    private final TopologyTriggers triggers;
    private final ControlPlanes controlPlanes;

    @Inject
    TopologyRoom(
            TopologyConfig config,
            TopologyPolicy policy,
            TopologyReconciler reconciler,
            TopologyJournal journal,
            TopologyCaches caches,
            ControlPlanes controlPlanes,
            Timers timers,
            MeterRegistry registry) {
        this.loop = new ReconcileLoop<>("topology", task -> "", config.concurrency, Task::key,
                reconciler::reconcile, timers, registry);
        this.triggers = new TopologyTriggers(policy, caches, controlPlanes, loop.queue(), journal.patience());
        this.controlPlanes = controlPlanes;
        journal.whenChanged(declarer -> loop.queue().addAfter(Task.tell(declarer), TOGETHER));
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        triggers.subscribe();
        controlPlanes.start(triggers);
        loop.start();
    }

    @Override
    public void retire() {
        loop.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        boolean finished = loop.stop(patience);
        controlPlanes.close();
        return finished;
    }
}
