package io.nodeward.controller.machinepool;

import com.google.inject.Inject;
import io.nodeward.api.core.Event;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.runtime.cluster.Applied;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.Conditions;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Target;
import io.nodeward.core.runtime.cluster.Warnings;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the machinepool room says of its work: a log line for a write; for what somebody must put right one Warning Event
 * and one condition of the pool, however many of its Nodes it concerns.
 */
final class PoolJournal {
    private static final Logger LOG = LoggerFactory.getLogger(PoolJournal.class);

    private final ManagementCluster management;
    private final MachinePools pools;
    private final Warnings warnings;
    private final Conditions conditions;
    private final boolean initializes;
    private final InstantSource clock = InstantSource.system();
    private final Map<ObjectKey, PoolNotes> notes = new ConcurrentHashMap<>();
    /** Pools with Events, to forget what was said when they are gone. */
    private final Map<ObjectKey, Event.Regarding> warned = new ConcurrentHashMap<>();
    private volatile Consumer<ObjectKey> changed = pool -> {};

    @Inject
    PoolJournal(
            ManagementCluster management,
            MachinePools pools,
            Warnings warnings,
            Conditions conditions,
            PoolPolicy policy) {
        this.management = management;
        this.pools = pools;
        this.warnings = warnings;
        this.conditions = conditions;
        this.initializes = policy.nodes().removesUninitialized();
    }

    /** @param who told of pools of which there is something else to {@link #tell} */
    void whenChanged(Consumer<ObjectKey> who) {
        changed = who;
    }

    void applied(PoolNode key, NodeChange change, Applied applied) {
        String done = switch (applied) {
            case Applied.Written written -> "propagated";
            case Applied.Observed observed -> "observed, not written";
            case Applied.Stale stale -> "Node is gone";
        };
        LOG.atInfo()
                .addKeyValue("Node", change.node())
                .addKeyValue("taints", change.taints().isPresent())
                .addKeyValue("labels", change.labels().keySet())
                .addKeyValue("annotations", change.annotations().keySet())
                .log(done);
    }

    void inEffect(PoolNode key, Node node, NodePlan plan) {
        boolean bears = !initializes
                && node.taints().stream().anyMatch(taint -> taint.key().equals(ClusterApi.UNINITIALIZED_TAINT));
        note(key, all -> all.free(key.node(), plan.warnings())
                | all.uninitialized(key.node(), bears, clock.instant().truncatedTo(ChronoUnit.SECONDS)));
    }

    void stuck(PoolNode key, Blocked by) {
        note(key, all -> all.block(key.node(), by));
    }

    /** The API server refused the write. */
    void refused(PoolNode key, ApiFailure failure) {
        Status status = failure.status();
        // Without a reason it is no API server's answer, and nobody's business what else is found at that address.
        String why = status.reason().isEmpty() ? "answer " + status.code() : status.message();
        stuck(key, new Blocked("NodeRejected", "Node " + key.node() + " was refused: " + why));
    }

    /** Writes are held back, because they do not last. */
    void undone(PoolNode key, int writes) {
        stuck(key, new Blocked("RepairsUndone", "Node " + key.node()
                + ": somebody keeps undoing what is declared; after " + writes + " writes in a minute the next waits"));
    }

    /** The Node is none of the pool's, or must not be touched. */
    void forget(PoolNode key) {
        if (notes.containsKey(key.pool())) {
            note(key, all -> all.forget(key.node()));
        }
    }

    private void note(PoolNode key, Predicate<PoolNotes> change) {
        if (change.test(notes.computeIfAbsent(key.pool(), pool -> new PoolNotes()))) {
            changed.accept(key.pool());
        }
    }

    /** Says what is known of the pool's Nodes. */
    Outcome tell(ObjectKey key) {
        Optional<MachinePool> pool = pools.get(key);
        PoolNotes all = notes.get(key);
        if (pool.isEmpty() || all == null) {
            if (pool.isEmpty()) {
                gone(key);
            }
            return Outcome.DONE;
        }
        Target target = Target.of(management, pool.get());
        report(key, target.regarding(), all.messages());
        Optional<Blocked> blocked = all.worst().or(() -> all.uninitialized().map(PoolJournal::awaited))
                .filter(by -> !pool.get().metadata().deleting());
        Duration left = conditions.report(target, blocked, PoolReconciler.FIELD_MANAGER);
        return blocked.map(by -> by.outcome(left)).orElse(Outcome.DONE);
    }

    private static Blocked awaited(String nodes) {
        return new Blocked("NodesUninitialized", "Nodes bear " + ClusterApi.UNINITIALIZED_TAINT + ": " + nodes
                + "; the Cluster API manager is expected to remove it, or Nodeward with --initialize-machinepool-nodes");
    }

    private void report(ObjectKey key, Event.Regarding regarding, Map<String, String> messages) {
        if (!messages.isEmpty()) {
            warned.put(key, regarding);
        } else if (warned.remove(key) == null) {
            return;
        }
        warnings.report("machinepool", regarding, messages);
    }

    private void gone(ObjectKey key) {
        notes.remove(key);
        conditions.forget("MachinePool", key);
        Event.Regarding regarding = warned.remove(key);
        if (regarding != null) {
            warnings.report("machinepool", regarding, Map.of());
        }
    }
}
