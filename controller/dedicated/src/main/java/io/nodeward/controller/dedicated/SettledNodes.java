package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Keeps the Nodes of a view as their cache has them, by each that changes, while others compute something of all of them. */
final class SettledNodes {
    private final ObjectCache<Node> nodes;
    private final ClusterView view;
    private final Listener listener;
    /** Nodes that have changed since they were last compared with what the groups select. */
    private final Set<ObjectKey> changed = ConcurrentHashMap.newKeySet();
    private final ReentrantLock counting = new ReentrantLock();

    /** Hears what a change of a Node amounts to. */
    @FunctionalInterface
    interface Listener {
        /** @param moves whether other groups select it than before */
        void settled(boolean moves);
    }

    /** Hears of each change of the cache before any controller does. */
    SettledNodes(ObjectCache<Node> nodes, ClusterView view, Listener listener) {
        this.nodes = nodes;
        this.view = view;
        this.listener = listener;
        nodes.subscribeFirst((before, after) -> heard(MapFunction.latest(before, after).key()));
        nodes.all().forEach(node -> heard(node.key()));
    }

    /** Listeners call this while their cache is locked: they do not wait for a preview, which sees the Node next time. */
    void heard(ObjectKey node) {
        changed.add(node);
        if (counting.tryLock()) {
            try {
                settle();
            } finally {
                counting.unlock();
            }
        }
    }

    /** Computes something of the Nodes as the cache holds them; it waits for others who do the same. */
    <T> T settled(Supplier<T> how) {
        counting.lock();
        try {
            settle();
            return how.get();
        } finally {
            counting.unlock();
        }
    }

    private void settle() {
        for (ObjectKey node : changed) {
            changed.remove(node); // before it is read: a change from here on adds it again
            boolean seen = false;
            try {
                look(node);
                seen = true;
            } finally {
                if (!seen) {
                    changed.add(node);
                }
            }
        }
    }

    private void look(ObjectKey node) {
        Optional<Node> found = nodes.get(node);
        if (found.isEmpty()) {
            view.nodes().remove(node.name());
        }
        listener.settled(found.isEmpty() || view.nodes().put(found.get()));
    }
}
