package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.core.rules.dedicated.Group;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The groups whose evictions somebody has confirmed, each with the spec that was confirmed. */
final class ConfirmedGroups {
    private final Map<String, DedicatedNodesSpec> confirmed = new ConcurrentHashMap<>();
    private final List<Consumer<Group>> listeners = new CopyOnWriteArrayList<>();

    /** Told of each group that is confirmed from now on. */
    void whenConfirmed(Consumer<Group> listener) {
        listeners.add(listener);
    }

    /** The group may evict its pods. */
    void confirm(Group group) {
        if (!group.spec().equals(confirmed.put(group.name(), group.spec()))) {
            listeners.forEach(listener -> listener.accept(group));
        }
    }

    /** It may not: from now on no more Nodes of the group get the effect {@code NoExecute}. */
    void revoke(String group) {
        confirmed.remove(group);
    }

    /** As above, unless another spec of it has been confirmed since. */
    void revoke(Group group) {
        confirmed.remove(group.name(), group.spec());
    }

    /** Whether this spec of the group was confirmed, and no other. */
    boolean contains(Group group) {
        return group.spec().equals(confirmed.get(group.name()));
    }
}
