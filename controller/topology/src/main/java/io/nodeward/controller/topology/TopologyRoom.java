package io.nodeward.controller.topology;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.topology.Concerned;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.TaintWriter;
import io.nodeward.core.runtime.controller.DecisionExecutor;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.LastingStatus;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;

/** The controller of taints on their way to Machines, from its triggers to its reconciler. */
final class TopologyRoom implements Room {
    /** What is to be said of an object is said once for all below it that change together. */
    static final Duration TOGETHER = Duration.ofSeconds(1);

    private final ReconcileLoop<Task> loop;
    private final TopologyTriggers triggers;
    private final ControlPlanes controlPlanes;

    @Inject
    TopologyRoom(
            TopologyConfig config,
            TopologyPolicy policy,
            TopologyReconciler reconciler,
            TopologyScopes scopes,
            TopologyCaches caches,
            ControlPlanes controlPlanes,
            TaintWriter writer,
            Conditions conditions,
            EventRecorder events,
            Timers timers,
            MeterRegistry registry) {
        LastingStatus<Task> status = status(scopes, conditions, events);
        this.loop = new ReconcileLoop<>("topology", task -> "", config.concurrency, Task::key,
                new DecisionExecutor<>(reconciler, writer, status, TopologyReconciler.FIELD_MANAGER, timers::nanoTime,
                        Optional.of(config.afterRefusal)),
                timers, registry);
        this.triggers = new TopologyTriggers(policy, caches, controlPlanes, loop.queue(), conditions.after());
        this.controlPlanes = controlPlanes;
        status.whenChanged(source -> loop.queue().addAfter(source, TOGETHER));
    }

    /** On the object that declares, however many are below it. */
    static LastingStatus<Task> status(TopologyScopes scopes, Conditions conditions, EventRecorder events) {
        return new LastingStatus<>(
                new LastingStatus.Naming<Task>("topology", Task::report, scopes::name,
                        (names, others, first) -> new Concerned(names, others).message(first)),
                TopologyReconciler.FIELD_MANAGER, conditions.named(TopologyReconciler.CONDITION), events);
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
