package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.NodeWriter;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Gives one Node what its pool declares: load, plan, at most one write, record. */
final class PoolReconciler {
    static final String FIELD_MANAGER = "nodeward-machinepool";

    private final NodeWriter<PoolNode, MachinePool.Template> writer = new NodeWriter<>(FIELD_MANAGER);
    private final PoolOwners owners = new PoolOwners();
    private final FreshNodes fresh = new FreshNodes();
    private final MachinePools pools;
    private final PoolSituations situations;
    private final NodePolicy policy;
    private final NodePolicy onceMore;
    private final PoolJournal journal;

    @Inject
    PoolReconciler(MachinePools pools, PoolSituations situations, PoolPolicy policy, PoolJournal journal) {
        this.pools = pools;
        this.situations = situations;
        this.policy = policy.nodes();
        this.onceMore = policy.nodes().withInitialization(Initialization.ONCE_MORE);
        this.journal = journal;
    }

    Outcome reconcile(PoolNode key) {
        if (key.isItself()) {
            return tell(key.pool());
        }
        for (int tries = 1;; tries++) {
            PoolSituation situation = situations.load(key);
            Optional<Outcome> outcome = situation instanceof PoolSituation.Ready ready
                    ? propagate(key, ready, tries)
                    : Optional.of(waiting(key, situation));
            if (outcome.isPresent()) {
                return outcome.get();
            }
        }
    }

    /** Returns empty if the Node has changed meanwhile, and is to be planned again. */
    private Optional<Outcome> propagate(PoolNode key, PoolSituation.Ready ready, int tries) {
        Owner owner = owners.of(ready.pool());
        NodePlan plan = plan(key, owner, ready.node());
        journal.planned(key, plan);
        try {
            return switch (writer.write(
                    key, ready.pool()::template, ready.workload(), ready.node(), plan.change(), tries)) {
                case NodeWriter.Ended.InEffect done -> {
                    fresh.inEffect(key, owner, ready.node(), plan.change());
                    yield Optional.of(inEffect(key, ready.node()));
                }
                case NodeWriter.Ended.HeldBack held -> {
                    journal.stuck(key, held.by());
                    yield Optional.of(new Outcome.Again(held.left(), "others to stop changing Node " + key.node()));
                }
                case NodeWriter.Ended.Outdated newer -> Optional.empty();
            };
        } catch (ApiFailure.Rejected rejected) {
            return Optional.of(rejected(key, ready.node(), rejected));
        } catch (ApiFailure.Forbidden forbidden) {
            journal.forbidden(key, Blocked.refused(ready.node(), forbidden));
            throw forbidden;
        } catch (ApiFailure failure) {
            journal.looked(key); // what is to be said of other Nodes does not wait for this one
            throw failure;
        }
    }

    private NodePlan plan(PoolNode key, Owner owner, Node node) {
        Set<TaintId> wiped = fresh.wiped(key, node);
        return wiped.isEmpty()
                ? NodePlanner.plan(owner, node, policy)
                : NodePlanner.plan(owner.again(wiped), node, onceMore);
    }

    /** It is tried once more; then only a change brings it back. */
    private Outcome rejected(PoolNode key, Node node, ApiFailure.Rejected rejected) {
        Blocked by = Blocked.refused(node, rejected);
        if (journal.isStuck(key, by)) {
            throw rejected;
        }
        journal.stuck(key, by);
        return new Outcome.Again(journal.patience(), "Node " + key.node() + " to be accepted");
    }

    /** The Node is as planned. That somebody keeps undoing it is over only when it has lasted. */
    private Outcome inEffect(PoolNode key, Node node) {
        Optional<Duration> restless = writer.restless(key);
        if (restless.isPresent()) {
            return new Outcome.Again(restless.get(), "what was repaired to last");
        }
        journal.inEffect(key, node);
        return Outcome.DONE;
    }

    private Outcome waiting(PoolNode key, PoolSituation situation) {
        return switch (situation) {
            case PoolSituation.NotOurs notOurs -> {
                writer.forget(key);
                fresh.forget(key);
                journal.forget(key);
                yield Outcome.waitingFor("nothing: " + notOurs.reason());
            }
            case PoolSituation.Waiting waiting -> Outcome.waitingFor(waiting.reason());
            case PoolSituation.Stuck stuck -> {
                journal.stuck(key, stuck.by());
                yield Outcome.waitingFor("the end of " + stuck.by().reason());
            }
            case PoolSituation.Ready ready -> Outcome.DONE;
        };
    }

    /** Says what is known of all Nodes of a pool. */
    private Outcome tell(ObjectKey key) {
        Optional<MachinePool> pool = pools.get(key);
        if (pool.isEmpty()) {
            owners.forget(key);
            fresh.retain(key, Set.of());
            situations.forget(key);
            journal.gone(key);
            return Outcome.DONE;
        }
        Optional<Blocked> missing = situations.clusterMissing(pool.get());
        if (missing.isPresent()) {
            return journal.blocked(pool.get(), missing.get());
        }
        Optional<String> awaited = situations.awaited(pool.get());
        if (awaited.isPresent()) {
            journal.startOver(key);
            return Outcome.waitingFor(awaited.get());
        }
        Set<String> joined = situations.joined(pool.get());
        fresh.retain(key, joined);
        return journal.tell(pool.get(), joined);
    }
}
