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
    private static final String AWAITED = "NodesUninitialized";

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

    /** How long something must be wrong before a condition says so. */
    Duration patience() {
        return conditions.after();
    }

    void planned(PoolNode key, NodePlan plan) {
        note(key, all -> all.warn(key.node(), plan.warnings()));
    }

    void inEffect(PoolNode key, Node node) {
        boolean bears = !initializes
                && node.taints().stream().anyMatch(taint -> taint.key().equals(ClusterApi.UNINITIALIZED_TAINT));
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        note(key, all -> all.free(key.node()) | all.uninitialized(key.node(), bears, now));
    }

    void stuck(PoolNode key, Blocked by) {
        note(key, all -> all.block(key.node(), by, true));
    }

    /** Said should it last: rights and webhooks change. */
    void forbidden(PoolNode key, Blocked by) {
        note(key, all -> all.block(key.node(), by, false));
    }

    boolean isStuck(PoolNode key, Blocked by) {
        return told(key.pool()).notes.isBlocked(key.node(), by);
    }

    /** It is not known how the Node is. */
    void looked(PoolNode key) {
        note(key, all -> all.look(key.node()));
    }

    /** There is nothing to say of the Node. */
    void forget(PoolNode key) {
        note(key, all -> all.forget(key.node()));
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
        Instant now = clock.instant();
        Instant late = now.minus(conditions.after());
        Optional<Blocked> worst = told.notes.worst().or(() -> told.notes.uninitialized(late).map(PoolJournal::awaited));
        Optional<Duration> next = told.notes.untilNext(late);
        if (worst.isEmpty() && next.isPresent() && saysAwaited(pool)) {
            return new Outcome.Again(next.get(), "what a former run has said of the pool to be true or not");
        }
        Optional<Blocked> blocked = told.condition.of(worst, now);
        Target target = Target.of(management, pool);
        Duration left = condition(target, pool, blocked);
        report(pool.key(), target.regarding(), told.notes.messages(blocked.isPresent() && left.isZero()));
        return Stream.of(left, told.condition.left(worst, now), next.orElse(Duration.ZERO))
                .filter(Duration::isPositive).min(Comparator.naturalOrder())
                .<Outcome>map(first -> new Outcome.Again(first, "what is to be said of the pool to last"))
                .orElse(Outcome.DONE);
    }

    /** Something else than its Nodes keeps the pool from being propagated. */
    Outcome blocked(MachinePool pool, Blocked by) {
        Target target = Target.of(management, pool);
        report(pool.key(), target.regarding(), Map.of(by.reason(), by.message()));
        return by.outcome(condition(target, pool, Optional.of(by)));
    }

    /** A pool that is being deleted is not missed. */
    private Duration condition(Target target, MachinePool pool, Optional<Blocked> blocked) {
        return conditions.report(
                target, blocked.filter(by -> !pool.metadata().deleting()), PoolReconciler.FIELD_MANAGER);
    }

    private static boolean saysAwaited(MachinePool pool) {
        return pool.conditions().stream().anyMatch(condition -> condition.reason().equals(AWAITED));
    }

    private static Blocked awaited(String nodes) {
        return new Blocked(AWAITED, "Nodes bear " + ClusterApi.UNINITIALIZED_TAINT + ": " + nodes
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
