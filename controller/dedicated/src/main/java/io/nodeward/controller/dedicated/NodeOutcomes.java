package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.api.meta.Finding;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** What keeps Nodes from being as their groups declare. Nothing of it is written on Nodes: the groups report it. */
final class NodeOutcomes implements StatusReporter<ObjectKey> {
    private final Map<ObjectKey, Blocked> blocked = new ConcurrentHashMap<>();
    private final List<Consumer<ObjectKey>> listeners = new CopyOnWriteArrayList<>();

    /** Told of each Node of which there is something else to report. */
    void whenOutcomeChanged(Consumer<ObjectKey> listener) {
        listeners.add(listener);
    }

    /** What keeps a Node from being as declared. */
    Optional<Blocked> of(ObjectKey node) {
        return Optional.ofNullable(blocked.get(node));
    }

    /** All Nodes of which there is something to report. */
    Set<ObjectKey> nodes() {
        return Set.copyOf(blocked.keySet());
    }

    @Override
    public void forget(ObjectKey node) {
        put(node, Optional.empty());
    }

    @Override
    public void unknown(ObjectKey node) {}

    @Override
    public Duration blocked(ObjectKey node, Target target, Blocked by, boolean event) {
        return put(node, Optional.of(by));
    }

    @Override
    public void planned(ObjectKey node, Target target, List<Finding> findings) {}

    @Override
    public void written(ObjectKey node) {}

    @Override
    public Duration notWritten(ObjectKey node, Target target, Blocked by, boolean certain) {
        return put(node, Optional.of(by));
    }

    @Override
    public Duration heldBack(ObjectKey node, Target target, Blocked by) {
        return put(node, Optional.of(by));
    }

    @Override
    public void failed(ObjectKey node) {}

    @Override
    public Duration inEffect(ObjectKey node, Target target, List<Finding> findings, Optional<Awaited> awaited) {
        return put(node, findings.stream().findFirst().map(first -> new Blocked(first.reason(), first.message())));
    }

    @Override
    public Duration summarize(ObjectKey node, Target target, Set<String> members) {
        throw new IllegalArgumentException(node + " has no members: " + members);
    }

    private Duration put(ObjectKey node, Optional<Blocked> by) {
        Optional<Blocked> before = of(node);
        by.ifPresentOrElse(now -> blocked.put(node, now), () -> blocked.remove(node));
        if (!before.equals(by)) {
            listeners.forEach(listener -> listener.accept(node));
        }
        return Duration.ZERO;
    }
}
