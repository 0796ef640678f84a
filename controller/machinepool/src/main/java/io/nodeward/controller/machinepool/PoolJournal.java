package io.nodeward.controller.machinepool;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.Conditions;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Target;
import io.nodeward.core.runtime.cluster.Warnings;
import io.nodeward.core.runtime.queue.Outcome;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What the machinepool room says of its work: for what somebody must put right one Warning Event and one condition of the
 * pool, however many of its Nodes it concerns.
 */
final class PoolJournal {
    private final ManagementCluster management;
    private final Warnings warnings;
    private final Conditions conditions;
    private final boolean initializes;
    private final InstantSource clock;
    private final Map<ObjectKey, Told> pools = new ConcurrentHashMap<>();
    /** Pools with Events, to forget what was said when they are gone. */
    private final Map<ObjectKey, Event.Regarding> warned = new ConcurrentHashMap<>();
    private volatile Consumer<ObjectKey> changed = pool -> {};

    private record Told(PoolNotes notes, Steady condition) {}

    @Inject
    PoolJournal(
            ManagementCluster management,
            Warnings warnings,
            Conditions conditions,
            InstantSource clock,
            PoolPolicy policy) {
        this.management = management;
        this.warnings = warnings;
        this.conditions = conditions;
        this.clock = clock;
        this.initializes = policy.nodes().removesUninitialized();
    }

    /** @param who told of pools of which there is something else to {@link #tell} */
    void whenChanged(Consumer<ObjectKey> who) {
        changed = who;
    }

    void inEffect(PoolNode key, Node node, NodePlan plan) {
        boolean bears = !initializes
                && node.taints().stream().anyMatch(taint -> taint.key().equals(ClusterApi.UNINITIALIZED_TAINT));
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        note(key, all -> all.free(key.node(), plan.warnings()) | all.uninitialized(key.node(), bears, now));
    }

    void stuck(PoolNode key, Blocked by) {
        note(key, all -> all.block(key.node(), by));
    }

    /** There is nothing to say of the Node. */
    void forget(PoolNode key) {
        if (pools.containsKey(key.pool())) {
            note(key, all -> all.forget(key.node()));
        }
    }

    private void note(PoolNode key, Predicate<PoolNotes> change) {
        if (change.test(told(key.pool()).notes)) {
            changed.accept(key.pool());
        }
    }

    private Told told(ObjectKey pool) {
        return pools.computeIfAbsent(pool, key -> new Told(new PoolNotes(), new Steady(conditions.after())));
    }

    /**
     * Says what is known of the pool's Nodes.
     *
     * @param joined names of those there are
     */
    Outcome tell(MachinePool pool, Set<String> joined) {
        Told told = told(pool.key());
        if (!told.notes.haveSeen(joined)) {
            return Outcome.waitingFor("all its Nodes to be looked at"); // a former run may have said what still holds
        }
        told.notes.retain(joined);
        Target target = Target.of(management, pool);
        report(pool.key(), target.regarding(), told.notes.messages());
        Instant instant = clock.instant();
        Instant late = instant.minus(conditions.after());
        Optional<Blocked> now = told.notes.worst().or(() -> told.notes.uninitialized(late).map(PoolJournal::awaited))
                .filter(by -> !pool.metadata().deleting());
        Optional<Blocked> blocked = told.condition.of(now, instant);
        return Stream.of(
                conditions.report(target, blocked, PoolReconciler.FIELD_MANAGER),
                told.condition.left(now, instant),
                told.notes.untilNext(late).orElse(Duration.ZERO))
                .filter(Duration::isPositive).min(Comparator.naturalOrder())
                .<Outcome>map(left -> new Outcome.Again(left, "what is to be said of the pool to last"))
                .orElse(Outcome.DONE);
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

    /** It is not known what blocks the pool, if anything: should something, it has not done so before. */
    void startOver(ObjectKey key) {
        conditions.startOver("MachinePool", key);
    }

    void gone(ObjectKey key) {
        pools.remove(key);
        conditions.forget("MachinePool", key);
        Event.Regarding regarding = warned.remove(key);
        if (regarding != null) {
            warnings.report("machinepool", regarding, Map.of());
        }
    }
}
