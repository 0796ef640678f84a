package io.nodeward.controller.dedicated;

import io.nodeward.core.rules.dedicated.Group;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** The groups that something holds of, each with the spec that it holds of. */
final class MarkedGroups {
    private final Map<String, Group> marked = new ConcurrentHashMap<>();
    private final List<Consumer<Group>> listeners = new CopyOnWriteArrayList<>();

    /** Calls the listener with each group that is marked from now on. */
    void whenMarked(Consumer<Group> listener) {
        listeners.add(listener);
    }

    void mark(Group group) {
        if (!group.equals(marked.put(group.name(), group))) {
            listeners.forEach(listener -> listener.accept(group));
        }
    }

    void unmark(String group) {
        marked.remove(group);
    }

    /** Unmarks the group, unless another spec of it has been marked since. */
    void unmark(Group group) {
        marked.remove(group.name(), group);
    }

    /** Returns whether this spec of the group is marked, and no other. */
    boolean contains(Group group) {
        return group.equals(marked.get(group.name()));
    }
}
