package io.nodeward.controller.machinepool;

import com.google.inject.Inject;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.runtime.cluster.Applied;
import io.nodeward.core.runtime.queue.Brake;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.Optional;

/** Gives one Node what its pool declares: load, plan, at most one write, record. */
final class PoolReconciler {
    static final String FIELD_MANAGER = "nodeward-machinepool";
    /** Plans made for one call while others keep changing the Node; then the key goes back to the queue. */
    private static final int TRIES = 20;
    /** Writes for one declaration in a minute; more only if somebody else keeps undoing them. */
    private static final int REPAIRS = 20;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Brake<PoolNode, MachinePool.Template> brake = new Brake<>(REPAIRS, WINDOW);
    private final PoolOwners owners = new PoolOwners();
    private final PoolSituations situations;
    private final NodePolicy policy;
    private final PoolJournal journal;

    @Inject
    PoolReconciler(PoolSituations situations, PoolPolicy policy, PoolJournal journal) {
        this.situations = situations;
        this.policy = policy.nodes();
        this.journal = journal;
    }

    Outcome reconcile(PoolNode key) {
        if (key.isItself()) {
            return journal.tell(key.pool());
        }
        for (int tries = 1;; tries++) {
            PoolSituation situation = situations.load(key);
            if (!(situation instanceof PoolSituation.Ready ready)) {
                return waiting(key, situation);
            }
            NodePlan plan = NodePlanner.plan(owners.of(ready.pool()), ready.node(), policy);
            Optional<Duration> hold = plan.change().isEmpty()
                    ? Optional.empty()
                    : brake.hold(key, ready.pool().template());
            if (hold.isPresent()) {
                journal.undone(key, REPAIRS);
                return new Outcome.Again(hold.get(), "others to stop changing Node " + key.node());
            }
            Optional<ApiFailure> stale = apply(key, ready, plan);
            if (stale.isEmpty()) {
                return inEffect(key, ready, plan);
            }
            if (tries == TRIES) {
                throw stale.get();
            }
        }
    }

    /** Returns why it was not applied if the Node has changed, and there is a newer one to plan from. */
    private Optional<ApiFailure> apply(PoolNode key, PoolSituation.Ready ready, NodePlan plan) {
        if (plan.change().isEmpty()) {
            return Optional.empty();
        }
        try {
            Applied applied = ready.workload().apply(ready.node(), plan.change(), FIELD_MANAGER);
            if (applied instanceof Applied.Stale stale && stale.newer().isPresent()) {
                return Optional.of(stale.failure());
            }
            if (applied instanceof Applied.Written) {
                brake.count(key, ready.pool().template());
            }
            journal.applied(key, plan.change(), applied);
            return Optional.empty();
        } catch (ApiFailure.Rejected | ApiFailure.Forbidden refused) {
            journal.refused(key, refused);
            throw refused;
        }
    }

    private Outcome inEffect(PoolNode key, PoolSituation.Ready ready, NodePlan plan) {
        journal.inEffect(key, ready.node(), plan);
        return brake.restless(key).<Outcome>map(left -> new Outcome.Again(left, "what was repaired to last"))
                .orElse(Outcome.DONE);
    }

    private Outcome waiting(PoolNode key, PoolSituation situation) {
        return switch (situation) {
            case PoolSituation.NotOurs notOurs -> {
                brake.forget(key);
                journal.forget(key);
                yield Outcome.DONE;
            }
            case PoolSituation.Waiting waiting -> {
                journal.forget(key);
                yield Outcome.waitingFor(waiting.reason());
            }
            case PoolSituation.Stuck stuck -> {
                journal.stuck(key, stuck.by());
                yield Outcome.waitingFor("the end of " + stuck.by().reason());
            }
            case PoolSituation.Ready ready -> Outcome.DONE;
        };
    }
}
