package io.nodeward.autoscaler.adapter;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.rules.capacity.NodeGroups;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.runtime.cluster.Annotations;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.WriteLimiter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Keeps the annotations of one node group: load, plan, at most one write, record. */
final class AdapterReconciler {
    static final String FIELD_MANAGER = "nodeward-autoscaler";
    /** How long a conflicting write of somebody else takes to come through the watch, at most. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);
    /** Plans made for one call while others keep changing the object; then the key goes back to the queue. */
    private static final int TRIES = 20;
    /** Writes for one declaration in a while; more only if somebody else keeps undoing them, as every few seconds. */
    static final int REPAIRS = 5;
    static final Duration WINDOW = Duration.ofMinutes(5);

    private final WriteLimiter<GroupKey, MachinePool.Template> limiter = new WriteLimiter<>(REPAIRS, WINDOW);
    private final ManagementCluster management;
    private final GroupCaches groups;
    private final CapacityPlanner planner;
    private final PoolInfrastructure infrastructure;
    private final Annotations annotations;
    private final AdapterJournal journal;
    private final GroupMetrics metrics;

    @Inject
    AdapterReconciler(
            ManagementCluster management,
            GroupCaches groups,
            CapacityPlanner planner,
            PoolInfrastructure infrastructure,
            Annotations annotations,
            AdapterJournal journal,
            GroupMetrics metrics) {
        this.management = management;
        this.groups = groups;
        this.planner = planner;
        this.infrastructure = infrastructure;
        this.annotations = annotations;
        this.journal = journal;
        this.metrics = metrics;
    }

    Result reconcile(GroupKey key) {
        for (int tries = 1;; tries++) {
            Optional<NodeGroup> group = groups.get(key);
            if (group.isEmpty() || NodeGroups.isOwned(group.get().metadata())) {
                forget(key);
                group.filter(owned -> waitsFor(owned).isEmpty()).ifPresent(owned -> journal.adopted(key, owned));
                return Result.done();
            }
            Plans plans = planner.plan(key.kind(), group.get());
            metrics.planned(key, plans);
            Optional<String> wait = waitsFor(group.get());
            if (wait.isPresent()) {
                return Result.waiting(wait.get());
            }
            Optional<Result> result = attempt(key, group.get(), plans, tries == TRIES);
            if (result.isPresent()) {
                return result.get();
            }
        }
    }

    private void forget(GroupKey key) {
        limiter.forget(key);
        journal.forget(key);
        metrics.forget(key);
        if (key.kind() == GroupKind.MACHINE_POOL) {
            infrastructure.forget(key.object());
        }
    }

    private Optional<String> waitsFor(NodeGroup group) {
        if (group.metadata().deleting()) {
            return Optional.of("its end");
        }
        return OwnerCluster.awaited(
                group.cluster(), management.clusters().get(group.cluster()), group.metadata());
    }

    /** Empty if the object has changed, and is to be planned again. */
    private Optional<Result> attempt(GroupKey key, NodeGroup group, Plans plans, boolean last) {
        CapacityWrite write = CapacityWrite.of(group, plans, FIELD_MANAGER);
        Optional<Duration> hold = write.isEmpty() ? Optional.empty() : limiter.hold(key, group.template());
        if (hold.isPresent()) {
            return Optional.of(journal.undone(key, group, plans, hold.get()));
        }
        try {
            send(key, group, write);
            return Optional.of(inEffect(key, group, plans, write));
        } catch (ApiFailure.Conflict conflict) {
            if (last) {
                throw conflict;
            }
            groups.of(key.kind()).awaitChange(group, WATCH_DELAY);
            return Optional.empty();
        } catch (ApiFailure.NotFound gone) {
            return Optional.of(Result.waiting("the watch to tell that it is gone"));
        } catch (ApiFailure.Rejected rejected) {
            return Optional.of(journal.refused(key, group, plans, rejected));
        } catch (ApiFailure.Forbidden forbidden) {
            journal.refused(key, group, plans, forbidden);
            throw forbidden;
        }
    }

    private void send(GroupKey key, NodeGroup group, CapacityWrite write) {
        if (write.isEmpty()) {
            return;
        }
        Target target =
                Target.of(management.version(), key.kind().text(), key.kind().plural(), group, group.conditions());
        Optional<byte[]> reply = write.removes()
                ? annotations.change(target, write.changes(), FIELD_MANAGER)
                : annotations.apply(target, write.applied(), FIELD_MANAGER);
        if (reply.isPresent()) {
            limiter.count(key, group.template());
            hold(key, group, reply.get());
        }
        journal.written(key, write, reply.isPresent());
    }

    /** That somebody keeps undoing it is over only when it has lasted. */
    private Result inEffect(GroupKey key, NodeGroup group, Plans plans, CapacityWrite write) {
        Optional<Duration> restless = limiter.restless(key);
        if (restless.isPresent()) {
            return Result.requeueAfter(restless.get(), "what was repaired to last");
        }
        Result settled = journal.settled(key, groups.get(key).orElse(group), plans, write.left());
        return plans.known() || settled instanceof Result.RequeueAfter
                ? settled
                : Result.requeueAfter(PoolInfrastructure.AGAIN, "the infrastructure to say whether it makes Machines");
    }

    /** No plan is to be made from what was before our own write. */
    private void hold(GroupKey key, NodeGroup before, byte[] reply) {
        try {
            NodeGroup after = before.withMetadataOf(Projection.NODE_GROUP.read(reply));
            if (after.key().equals(before.key()) && !after.metadata().resourceVersion().isEmpty()) {
                groups.of(key.kind()).wrote(before, after, after);
            }
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of " + key, "the reply is no JSON of an object", e);
        }
    }
}
