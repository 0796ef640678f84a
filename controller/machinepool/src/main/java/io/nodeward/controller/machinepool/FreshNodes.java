package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.InitialTaints;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Nodes that this controller has given taints for their initialization, until it is over: Cluster API's MachinePool
 * controller removes {@code uninitialized} by writing the whole list from its cache, and may wipe them.
 */
final class FreshNodes {
    private final Map<PoolNode, Fresh> nodes = new ConcurrentHashMap<>();
    /** What a change sets that is not known to be in effect. */
    private final Map<PoolNode, Set<TaintId>> planned = new ConcurrentHashMap<>();

    private record Fresh(String uid, Set<TaintId> taints) {}

    /** The taints that were wiped off the Node; empty if none were. */
    Set<TaintId> wiped(PoolNode key, Node now) {
        Fresh fresh = nodes.get(key);
        return fresh != null && fresh.uid.equals(now.metadata().uid()) && InitialTaints.areWiped(fresh.taints, now)
                ? fresh.taints
                : Set.of();
    }

    /** The change is to be made to {@code before}, or is empty. */
    void planned(PoolNode key, Owner owner, Node before, NodeChange change) {
        Set<TaintId> set = InitialTaints.setBy(change, before, owner.taints(), owner.annotated());
        if (set.isEmpty()) {
            planned.remove(key);
        } else {
            planned.put(key, set);
        }
    }

    /** The change that was planned last was made to {@code before}. */
    void inEffect(PoolNode key, Node before) {
        Set<TaintId> set = planned.remove(key);
        if (set != null) {
            nodes.put(key, new Fresh(before.metadata().uid(), set));
            return;
        }
        nodes.computeIfPresent(key, (k, fresh) -> InitialTaints.areAtRisk(fresh.taints, before) ? fresh : null);
    }

    void forget(PoolNode key) {
        nodes.remove(key);
        planned.remove(key);
    }

    /** Forgets all Nodes of the pool but these. */
    void retain(ObjectKey pool, Set<String> names) {
        Predicate<PoolNode> left = key -> key.pool().equals(pool) && !names.contains(key.node());
        nodes.keySet().removeIf(left);
        planned.keySet().removeIf(left);
    }
}
