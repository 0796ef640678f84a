package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.InitialTaints;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that this controller has given taints for their initialization, until it is over: Cluster API's MachinePool
 * controller removes {@code uninitialized} by writing the whole list from its cache, and may wipe them.
 */
final class FreshNodes {
    private final Map<PoolNodeKey, Fresh> nodes = new ConcurrentHashMap<>();
    /** What changes set to which no answer came. */
    private final Map<PoolNodeKey, Sent> unanswered = new ConcurrentHashMap<>();

    private record Fresh(String uid, Set<TaintId> taints) {}

    /** @param annotations what the Node has if the change was made; new text by annotation, empty if it was removed */
    private record Sent(Fresh fresh, Map<String, Optional<String>> annotations) {
        boolean isMade(Node now) {
            return annotations.entrySet().stream().allMatch(annotation -> annotation.getValue()
                    .equals(Optional.ofNullable(now.metadata().annotations().get(annotation.getKey()))));
        }
    }

    /** The taints that were wiped off the Node; empty if none were. */
    Set<TaintId> wiped(PoolNodeKey key, Node now) {
        Fresh fresh = known(key, now);
        return fresh != null && InitialTaints.areWiped(fresh.taints, now) ? fresh.taints : Set.of();
    }

    private @Nullable Fresh known(PoolNodeKey key, Node now) {
        Sent sent = unanswered.get(key);
        Fresh fresh = sent != null && sent.isMade(now) ? sent.fresh : nodes.get(key);
        return fresh != null && fresh.uid.equals(now.metadata().uid()) ? fresh : null;
    }

    /** The change was made to {@code before}, or is empty. */
    void inEffect(PoolNodeKey key, Owner owner, Node before, NodeChange change) {
        Fresh fresh = known(key, before);
        Set<TaintId> set = setBy(owner, before, change);
        unanswered.remove(key);
        if (!set.isEmpty()) {
            nodes.put(key, new Fresh(before.metadata().uid(), set));
        } else if (fresh != null && InitialTaints.areAtRisk(fresh.taints, before)) {
            nodes.put(key, fresh);
        } else {
            nodes.remove(key);
        }
    }

    /** The change was made to {@code before} or was not. */
    void unanswered(PoolNodeKey key, Owner owner, Node before, NodeChange change) {
        Set<TaintId> set = setBy(owner, before, change);
        if (!set.isEmpty()) {
            unanswered.put(key, new Sent(new Fresh(before.metadata().uid(), set), change.annotations()));
        }
    }

    private static Set<TaintId> setBy(Owner owner, Node before, NodeChange change) {
        return InitialTaints.setBy(change, before, owner.taints(), owner.annotated());
    }

    void forget(PoolNodeKey key) {
        nodes.remove(key);
        unanswered.remove(key);
    }

    /** Forgets all Nodes of the pool but these. */
    void retain(ObjectKey pool, Set<String> names) {
        Predicate<PoolNodeKey> left = key -> key.pool().equals(pool) && !names.contains(key.node());
        nodes.keySet().removeIf(left);
        unanswered.keySet().removeIf(left);
    }
}
