package io.nodeward.autoscaler.adapter;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.DecisionExecutor;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;

/** The controller of node groups, from its triggers to its reconciler. */
final class AdapterRoom implements Controller {
    private final ReconcileLoop<GroupKey> loop;
    private final GroupTriggers triggers;

    @Inject
    AdapterRoom(
            AdapterConfig config,
            DecisionExecutor<GroupKey> executor,
            GroupCaches groups,
            ManagementCluster management,
            PoolInfrastructure infrastructure,
            Timers timers,
            MeterRegistry registry) {
        // All writes go to one server, the management cluster's.
        this.loop = new ReconcileLoop<>("autoscaler", key -> "", config.concurrency, GroupKey::object,
                executor, timers, registry);
        this.triggers = new GroupTriggers(management, groups, infrastructure, loop.queue());
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public void start() {
        triggers.subscribe();
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
