package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.runtime.cluster.Applied;
import io.nodeward.core.runtime.queue.Brake;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Gives one Node what its Machine declares: load, plan, at most one write, record. */
final class MachineReconciler {
    private static final String FIELD_MANAGER = "nodeward-machine";
    /** Plans made for one call while others keep changing the Node; then the key goes back to the queue. */
    private static final int TRIES = 20;

    /** Writes for one declaration in a minute; more only if somebody else keeps undoing them. */
    private static final int REPAIRS = 20;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Brake<Machine> brake = new Brake<>(REPAIRS, WINDOW);
    private final MachineSituations situations;
    private final NodePolicy policy;
    private final MachineJournal journal;

    @Inject
    MachineReconciler(MachineSituations situations, NodePolicy policy, MachineJournal journal) {
        this.situations = situations;
        this.policy = policy;
        this.journal = journal;
    }

    Outcome reconcile(ObjectKey key) {
        for (int tries = 1;; tries++) {
            MachineSituation situation = situations.load(key);
            if (!(situation instanceof MachineSituation.Ready ready)) {
                return waiting(key, situation);
            }
            NodePlan plan = NodePlanner.plan(Owner.of(ready.machine()), ready.node(), policy);
            journal.planned(ready.machine(), plan);
            if (plan.change().isEmpty()) {
                return Outcome.DONE;
            }
            Machine declared = ready.machine().withResourceVersion("");
            Optional<Duration> hold = brake.hold(key, declared);
            if (hold.isPresent()) {
                journal.undone(ready.machine(), ready.node(), REPAIRS);
                return new Outcome.Again(hold.get(), "others to stop changing Node " + ready.node().key());
            }
            Applied applied = apply(ready, plan.change());
            if (applied instanceof Applied.Stale stale && stale.newer().isPresent()) {
                if (tries == TRIES) {
                    throw stale.failure();
                }
            } else {
                if (applied instanceof Applied.Written) {
                    brake.count(key, declared);
                }
                journal.applied(ready.machine(), plan.change(), applied);
                return Outcome.DONE;
            }
        }
    }

    private Applied apply(MachineSituation.Ready ready, NodeChange change) {
        try {
            return ready.workload().apply(ready.node(), change, FIELD_MANAGER);
        } catch (ApiFailure.Rejected rejected) {
            journal.rejected(ready.machine(), ready.node(), rejected);
            throw rejected;
        }
    }

    private Outcome waiting(ObjectKey key, MachineSituation situation) {
        return switch (situation) {
            case MachineSituation.Gone gone -> {
                brake.forget(key);
                journal.forget(key);
                yield Outcome.DONE;
            }
            case MachineSituation.Waiting waiting -> Outcome.waitingFor(waiting.reason());
            case MachineSituation.Blocked blocked -> {
                Machine machine = blocked.machine();
                journal.report(machine, Map.of(blocked.reason(), blocked.message()));
                yield Outcome.waitingFor(blocked.message());
            }
            case MachineSituation.Ready ready -> Outcome.DONE;
        };
    }
}
