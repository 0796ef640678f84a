package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.InitialTaints;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Nodes that this process has given taints for their initialization, until it is over. Cluster API's MachinePool controller
 * removes {@code uninitialized} by writing the whole list from its cache, and may wipe them.
 */
final class InitializingNodes {
    /** After this time, taints that are all gone may have been removed one by one while the watch was cut. */
    private static final Duration CERTAIN = Duration.ofMinutes(1);
    /** After this time pods may run on the Node, as after a long pause: taints that were wiped stay away. */
    private static final Duration LATEST = Duration.ofMinutes(10);

    private final LongSupplier ticker;
    private final Map<PoolNodeKey, InitializationTaints> nodes = new ConcurrentHashMap<>();
    /** The changes to which no answer came: the API server may have made them or not. */
    private final Map<PoolNodeKey, UnansweredChange> unanswered = new ConcurrentHashMap<>();

    /**
     * The taints that a Node was given.
     *
     * @param uid of the Node
     * @param since when they were given; nanoseconds
     * @param wiped whether they have been seen to go at once, and {@code uninitialized} with them
     */
    private record InitializationTaints(String uid, Set<TaintId> taints, long since, boolean wiped) {}

    /** @param annotations the new text of each annotation that the change sets; empty if it removes the annotation */
    private record UnansweredChange(InitializationTaints given, Map<String, Optional<String>> annotations) {
        boolean isMade(Node now) {
            return annotations.entrySet().stream().allMatch(annotation -> annotation.getValue()
                    .equals(Optional.ofNullable(now.metadata().annotations().get(annotation.getKey()))));
        }
    }

    /** @param ticker nanoseconds since any one moment */
    InitializingNodes(LongSupplier ticker) {
        this.ticker = ticker;
    }

    /** Forgets all Nodes, as what was wiped off them while another process led must not come back much later. */
    void forgetAll() {
        nodes.clear();
        unanswered.clear();
    }

    /** Returns the taints that were wiped off the Node; empty if none were. */
    Set<TaintId> wiped(PoolNodeKey key, Node now) {
        InitializationTaints given = known(key, now);
        return given != null && InitialTaints.areWiped(given.taints, now)
                && isSince(given, given.wiped ? LATEST : CERTAIN)
                        ? given.taints
                        : Set.of();
    }

    private boolean isSince(InitializationTaints given, Duration time) {
        return ticker.getAsLong() - given.since < time.toNanos();
    }

    /**
     * Notes how a Node has changed, also while it is not reconciled: during a pause its initialization may end, and later the taints
     * go one by one. They must not come back then.
     */
    void seen(PoolNodeKey key, Node now) {
        InitializationTaints given = known(key, now);
        if (given == null || InitialTaints.areAtRisk(given.taints, now)) {
            return;
        }
        boolean wiped = InitialTaints.areWiped(given.taints, now) && (given.wiped || isSince(given, CERTAIN));
        unanswered.remove(key);
        if (wiped) {
            nodes.put(key, new InitializationTaints(given.uid, given.taints, given.since, true));
        } else {
            nodes.remove(key);
        }
    }

    private @Nullable InitializationTaints known(PoolNodeKey key, Node now) {
        UnansweredChange change = unanswered.get(key);
        InitializationTaints given = change != null && change.isMade(now) ? change.given : nodes.get(key);
        return given != null && given.uid.equals(now.metadata().uid()) ? given : null;
    }

    /** Notes that the change was made to {@code before}, or is empty. */
    void inEffect(PoolNodeKey key, Owner owner, Node before, NodeChange change) {
        InitializationTaints given = known(key, before);
        Set<TaintId> set = setBy(owner, before, change);
        unanswered.remove(key);
        if (!set.isEmpty()) {
            nodes.put(key, given(before, set));
        } else if (given != null && InitialTaints.areAtRisk(given.taints, before)) {
            nodes.put(key, given);
        } else {
            nodes.remove(key);
        }
    }

    /** Notes that the change may have been made to {@code before}. */
    void unanswered(PoolNodeKey key, Owner owner, Node before, NodeChange change) {
        Set<TaintId> set = setBy(owner, before, change);
        if (!set.isEmpty()) {
            unanswered.put(key, new UnansweredChange(given(before, set), change.annotations()));
        }
    }

    private InitializationTaints given(Node node, Set<TaintId> set) {
        return new InitializationTaints(node.metadata().uid(), set, ticker.getAsLong(), false);
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
