package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.runtime.cluster.Applied;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.queue.Brake;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Gives one Node what its Machine declares: load, plan, at most one write, record. */
final class MachineReconciler {
    static final String FIELD_MANAGER = "nodeward-machine";
    /** Plans made for one call while others keep changing the Node; then the key goes back to the queue. */
    private static final int TRIES = 20;

    /** Writes for one declaration in a minute; more only if somebody else keeps undoing them. */
    private static final int REPAIRS = 20;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Brake<ObjectKey, Machine> brake = new Brake<>(REPAIRS, WINDOW);
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
            Optional<Duration> hold = plan.change().isEmpty()
                    ? Optional.empty()
                    : brake.hold(key, ready.machine().declaration());
            if (hold.isPresent()) {
                return heldBack(ready, hold.get());
            }
            Optional<ApiFailure> stale;
            try {
                stale = apply(ready, plan);
            } catch (ApiFailure.Rejected rejected) {
                return rejected(ready, rejected);
            } catch (ApiFailure.Forbidden forbidden) {
                journal.forbidden(ready.machine(), ready.node(), forbidden);
                throw forbidden;
            }
            if (stale.isEmpty()) {
                return inEffect(ready.machine(), plan);
            }
            if (tries == TRIES) {
                throw stale.get();
            }
        }
    }

    /** Returns why it was not applied if the Node has changed, and there is a newer one to plan from. */
    private Optional<ApiFailure> apply(MachineSituation.Ready ready, NodePlan plan) {
        if (plan.change().isEmpty()) {
            return Optional.empty();
        }
        Applied applied = ready.workload().apply(ready.node(), plan.change(), FIELD_MANAGER);
        if (applied instanceof Applied.Stale stale && stale.newer().isPresent()) {
            return Optional.of(stale.failure());
        }
        if (applied instanceof Applied.Written) {
            brake.count(ready.machine().key(), ready.machine().declaration());
        }
        journal.applied(ready.machine(), plan.change(), applied);
        return Optional.empty();
    }

    /** The Node is as planned. That somebody keeps undoing it is over only when it has lasted. */
    private Outcome inEffect(Machine machine, NodePlan plan) {
        Optional<Duration> restless = brake.restless(machine.key());
        return restless.isPresent()
                ? new Outcome.Again(restless.get(), "what was repaired to last")
                : settled(machine, MachineJournal.leftOut(plan));
    }

    private Outcome heldBack(MachineSituation.Ready ready, Duration hold) {
        Duration left = journal.undone(ready.machine(), ready.node(), REPAIRS);
        Duration wait = left.isZero() || left.compareTo(hold) > 0 ? hold : left;
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
                brake.forget(key);
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
