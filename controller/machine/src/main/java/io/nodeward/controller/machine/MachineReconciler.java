package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.NodeWriter;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Gives one Node what its Machine declares: load, plan, at most one write, record. */
final class MachineReconciler {
    static final String FIELD_MANAGER = "nodeward-machine";

    private final NodeWriter<ObjectKey, Machine> writer = new NodeWriter<>(FIELD_MANAGER);
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
            Optional<Outcome> outcome = situation instanceof MachineSituation.Ready ready
                    ? propagate(ready, tries)
                    : Optional.of(waiting(key, situation));
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Returns empty if the Node has changed meanwhile, and is to be planned again. */
    private Optional<Outcome> propagate(MachineSituation.Ready ready, int tries) {
        Machine machine = ready.machine();
        NodePlan plan = NodePlanner.plan(Owner.of(machine), ready.node(), policy);
        journal.planned(machine, plan);
        try {
            return switch (writer.write(
                    machine.key(), machine::declaration, ready.workload(), ready.node(), plan.change(), tries)) {
                case NodeWriter.Ended.InEffect done ->
                        Optional.of(inEffect(machine, plan, done.applied().isPresent()));
                case NodeWriter.Ended.HeldBack held -> Optional.of(heldBack(ready, held));
                case NodeWriter.Ended.Outdated newer -> Optional.empty();
            };
        } catch (ApiFailure.Rejected rejected) {
            return Optional.of(rejected(ready, rejected));
        } catch (ApiFailure.Forbidden forbidden) {
            journal.forbidden(machine, ready.node(), forbidden);
            throw forbidden;
        }
    }

    /** The Node is as planned. That somebody keeps undoing it is over only when it has lasted. */
    private Outcome inEffect(Machine machine, NodePlan plan, boolean written) {
        if (written) {
            journal.written(machine.key());
        }
        Optional<Duration> restless = writer.restless(machine.key());
        return restless.isPresent()
                ? new Outcome.Again(restless.get(), "what was repaired to last")
                : settled(machine, MachineJournal.leftOut(plan));
    }

    private Outcome heldBack(MachineSituation.Ready ready, NodeWriter.Ended.HeldBack held) {
        Duration left = journal.undone(ready.machine(), held.by());
        Duration wait = left.isZero() || left.compareTo(held.left()) > 0 ? held.left() : left;
        return new Outcome.Again(wait, "others to stop changing Node " + ready.node().key());
    }

    /** It is tried once more before a condition says so; then only a change brings it back. */
    private Outcome rejected(MachineSituation.Ready ready, ApiFailure.Rejected rejected) {
        Duration left = journal.rejected(ready.machine(), ready.node(), rejected);
        if (left.isZero()) {
            throw rejected;
        }
        return new Outcome.Again(left, "Node " + ready.node().key() + " to be accepted");
    }

    private Outcome waiting(ObjectKey key, MachineSituation situation) {
        return switch (situation) {
            case MachineSituation.Gone gone -> {
                writer.forget(key);
                journal.forget(key);
                yield Outcome.DONE;
            }
            case MachineSituation.Waiting waiting -> {
                journal.startOver(key);
                yield Outcome.waitingFor(waiting.reason());
            }
            case MachineSituation.NodeNotJoined missing -> settled(
                    missing.machine(),
                    Optional.of(new Blocked("NodeNotJoined", missing.message())));
            case MachineSituation.Stuck stuck -> {
                journal.report(stuck.machine(), Map.of(stuck.by().reason(), stuck.by().message()));
                yield settled(stuck.machine(), Optional.of(stuck.by()));
            }
            case MachineSituation.Ready ready -> Outcome.DONE;
        };
    }

    /** All is done that can be; {@code blocked} is what is not. */
    private Outcome settled(Machine machine, Optional<Blocked> blocked) {
        Duration left = journal.blocked(machine, blocked);
        return blocked.map(by -> by.outcome(left)).orElse(Outcome.DONE);
    }
}
