package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.taint.NewNoExecute;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The Nodes of a pool, of which so many may newly get {@code NoExecute}. */
final class PooledNodes implements LimitedNodes.Nodes<ObjectKey, PoolNodeKey> {
    private final ManagementCluster management;
    private final MachinePools pools;
    private final PoolScopes scopes;
    private final InitializingNodes initializing;
    private final InstantSource clock;

    @Inject
    PooledNodes(
            ManagementCluster management, MachinePools pools, PoolScopes scopes, InitializingNodes initializing,
            InstantSource clock) {
        this.management = management;
        this.pools = pools;
        this.scopes = scopes;
        this.initializing = initializing;
        this.clock = clock;
    }

    @Override
    public ObjectKey owner(PoolNodeKey key) {
        return key.pool();
    }

    @Override
    public long confirmed(ObjectKey pool) {
        return pools.get(pool).map(found -> NoExecuteCount.confirmed(found.metadata().annotations())).orElse(0L);
    }

    /** Taints that were wiped off the Node during its initialization come back at once. */
    @Override
    public Optional<NodeChange> without(PoolNodeKey key, Verb.PatchNode patch) {
        return initializing.wiped(key, patch.before()).isEmpty()
                ? NewNoExecute.without(patch.before(), patch.change(), clock.instant())
                : Optional.empty();
    }

    /** Tests the Nodes of the pool that Cluster API has found, but those that are known not to exist or to be another owner's. */
    boolean all(ObjectKey pool, Predicate<PoolNodeKey> which) {
        return pools.get(pool).stream().flatMap(found -> found.nodes().stream())
                .map(node -> new PoolNodeKey(pool, node.name()))
                .allMatch(node -> which.test(node) || scopes.load(node) instanceof PoolScope.NotManaged);
    }

    /** Returns where the pool's status is; empty if it does not exist. */
    Optional<Target> target(ObjectKey pool) {
        return pools.get(pool).map(found -> Target.of(management.version("machinepools"), found));
    }

    /** Returns the pool, if a former run has reported on it. */
    static Set<ObjectKey> reported(MachinePool pool) {
        return NoExecuteLimit.isReported(pool.conditions()) ? Set.of(pool.key()) : Set.of();
    }
}
