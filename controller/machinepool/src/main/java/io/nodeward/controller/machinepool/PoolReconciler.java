package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.taint.TrackedTaints;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what one Node of a pool gets, and what the pool's status is to be of. */
final class PoolReconciler implements Reconciler<PoolNodeKey> {
    private static final Awaited INITIALIZED = new Awaited(Reason.NODES_UNINITIALIZED,
            "Nodes have " + ClusterApi.UNINITIALIZED_TAINT + ": ",
            "; the Cluster API manager is expected to remove it, or Nodeward with --initialize-machinepool-nodes");

    private final PoolOwners owners = new PoolOwners();
    private final InitializingNodes initializing;
    private final ManagementCluster management;
    private final MachinePools pools;
    private final PoolScopes scopes;
    private final NodePolicy policy;
    private final NodePolicy onceMore;

    @Inject
    PoolReconciler(
            ManagementCluster management,
            MachinePools pools,
            PoolScopes scopes,
            PoolPolicy policy,
            InitializingNodes initializing) {
        this.initializing = initializing;
        this.management = management;
        this.pools = pools;
        this.scopes = scopes;
        this.policy = policy.nodes();
        this.onceMore = policy.nodes().withInitialization(Initialization.ONCE_MORE);
    }

    @Override
    public Decision reconcile(PoolNodeKey key) {
        if (key.isItself()) {
            return pools.get(key.pool()).map(this::summary)
                    .orElseGet(() -> new Decision.Gone("the MachinePool does not exist"));
        }
        return switch (scopes.load(key)) {
            case PoolScope.NotManaged notManaged -> new Decision.Gone(notManaged.reason());
            case PoolScope.Waiting waiting -> new Decision.Waiting(waiting.reason());
            case PoolScope.Stuck stuck -> new Decision.Blocked(target(stuck.pool()), stuck.by(), true);
            case PoolScope.Ready ready -> propagate(key, ready);
        };
    }

    private Decision propagate(PoolNodeKey key, PoolScope.Ready ready) {
        MachinePool pool = ready.pool();
        Node node = ready.node();
        Set<TaintId> wiped = initializing.wiped(key, node);
        Owner owner = wiped.isEmpty() ? owners.of(pool) : owners.of(pool).again(wiped);
        NodePolicy used = wiped.isEmpty() ? policy : onceMore;
        NodePlan plan = NodePlanner.plan(owner, node, used);
        Decision.Change decision = new Decision.Change(
                target(pool),
                ObjectChange.node(pool.cluster(), node, plan.change()),
                pool.template(),
                plan.findings(),
                awaited(node));
        return NodePlanner.withoutRemovals(plan, owner, node, used)
                .map(rest -> ObjectChange.node(pool.cluster(), node, rest.change()))
                .flatMap(rest -> management.untilNewest(
                        List.of(key, TrackedTaints.of(node)), Set.of("machinepools"))
                        .map(left -> decision.withhold(rest, left)))
                .orElse(decision);
    }

    private Optional<Awaited> awaited(Node node) {
        return Optional.of(INITIALIZED).filter(who -> !policy.removesUninitialized() && node.taints().stream()
                .anyMatch(taint -> taint.key().equals(ClusterApi.UNINITIALIZED_TAINT)));
    }

    private Decision summary(MachinePool pool) {
        Optional<Blocked> missing = scopes.clusterMissing(pool);
        if (missing.isPresent()) {
            return new Decision.Blocked(target(pool), missing.get(), true);
        }
        Optional<String> awaited = scopes.awaited(pool);
        if (awaited.isPresent()) {
            return new Decision.Waiting(awaited.get());
        }
        return scopes.joined(pool).<Decision>map(joined -> new Decision.Summary(target(pool), joined))
                .orElseGet(() -> new Decision.Waiting(PoolScopes.connection(pool)));
    }

    private Target target(MachinePool pool) {
        return Target.of(management.version("machinepools"), pool);
    }

    /** What was given to Nodes for their initialization is in no cache: others may have taken it off since. */
    @Override
    public void executed(PoolNodeKey key, Decision decision) {
        switch (decision) {
            case Decision.Change change when change.change().verb() instanceof Verb.PatchNode patch ->
                    pools.get(key.pool()).ifPresent(pool -> initializing.inEffect(
                            key, owners.of(pool), patch.before(), patch.change()));
            case Decision.Summary summary -> initializing.retain(key.pool(), summary.members());
            case Decision.Gone gone when key.isItself() -> forget(key.pool());
            case Decision.Gone gone -> initializing.forget(key);
            case Decision.Change change -> {}
            case Decision.InEffect inEffect -> {}
            case Decision.Waiting waiting -> {}
            case Decision.Blocked blocked -> {}
        }
    }

    @Override
    public void unanswered(PoolNodeKey key, Decision.Change decision) {
        if (decision.change().verb() instanceof Verb.PatchNode patch) {
            pools.get(key.pool())
                    .ifPresent(pool -> initializing.unanswered(key, owners.of(pool), patch.before(), patch.change()));
        }
    }

    private void forget(ObjectKey pool) {
        owners.forget(pool);
        initializing.retain(pool, Set.of());
        scopes.forget(pool);
    }
}
