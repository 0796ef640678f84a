package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.NodeConflict;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.LogOnce;
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
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** What keeps Nodes or pods from being as their groups declare. Nothing of it is written on these: the groups report it. */
final class Outcomes implements StatusReporter<ObjectKey> {
    private static final Outcome NONE = new Outcome(Optional.empty(), List.of());

    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(Outcomes.class));
    private final Map<ObjectKey, Outcome> outcomes = new ConcurrentHashMap<>();
    private final List<Consumer<ObjectKey>> listeners = new CopyOnWriteArrayList<>();

    /** Told of each object of which there is something else to report. */
    void whenOutcomeChanged(Consumer<ObjectKey> listener) {
        listeners.add(listener);
    }

    /** What keeps the Node from having what this group declares; it names the Node. */
    Optional<Blocked> of(ObjectKey node, String group) {
        return unwritten(node).or(() -> outcomes.getOrDefault(node, NONE).conflicts().stream()
                .filter(conflict -> conflict.group().equals(group)).findFirst()
                .map(conflict -> new Blocked("TaintConflict", "Node " + node + ": " + conflict.message())));
    }

    /** Why the object is not as planned; it names it. */
    Optional<Blocked> unwritten(ObjectKey object) {
        return outcomes.getOrDefault(object, NONE).unwritten();
    }

    /** All objects of which there is something to report. */
    Set<ObjectKey> all() {
        return Set.copyOf(outcomes.keySet());
    }

    /** All that groups lack on the Node because somebody else manages it. */
    void conflicts(ObjectKey node, List<NodeConflict> conflicts) {
        put(node, before -> new Outcome(before.unwritten(), conflicts));
    }

    /** These taints stay although no group declares them: no group can report it. */
    void unproven(ObjectKey node, List<Taint> taints) {
        String about = "Node " + node;
        if (taints.isEmpty()) {
            log.resolved(about);
        } else {
            log.warn(about, taints.stream().map(NodeFit::text).collect(Collectors.joining(", ")) + " may be of a"
                    + " DedicatedNodes that has it no more, and stays: the annotations do not match the label "
                    + DedicatedAnnotations.DIGEST);
        }
    }

    @Override
    public void forget(ObjectKey node) {
        log.forget("Node " + node);
        put(node, before -> NONE);
    }

    @Override
    public void unknown(ObjectKey node) {}

    @Override
    public Duration blocked(ObjectKey node, Target target, Blocked by, boolean event) {
        return unwritten(node, Optional.of(by));
    }

    @Override
    public void planned(ObjectKey node, Target target, List<Finding> findings) {}

    @Override
    public void written(ObjectKey node) {}

    @Override
    public Duration notWritten(ObjectKey node, Target target, Blocked by, boolean certain) {
        return unwritten(node, Optional.of(by));
    }

    @Override
    public Duration heldBack(ObjectKey node, Target target, Blocked by) {
        return unwritten(node, Optional.of(by));
    }

    @Override
    public void failed(ObjectKey node) {}

    @Override
    public Duration inEffect(ObjectKey node, Target target, List<Finding> findings, Optional<Awaited> awaited) {
        return unwritten(node, Optional.empty());
    }

    @Override
    public Duration summarize(ObjectKey node, Target target, Set<String> members) {
        throw new IllegalArgumentException(node + " has no members: " + members);
    }

    private Duration unwritten(ObjectKey node, Optional<Blocked> by) {
        put(node, before -> new Outcome(by, before.conflicts()));
        return Duration.ZERO;
    }

    /** Of one object one thread reports at a time. */
    private void put(ObjectKey node, UnaryOperator<Outcome> change) {
        Outcome before = outcomes.getOrDefault(node, NONE);
        Outcome after = change.apply(before);
        if (after.equals(before)) {
            return;
        }
        if (after.equals(NONE)) {
            outcomes.remove(node);
        } else {
            outcomes.put(node, after);
        }
        listeners.forEach(listener -> listener.accept(node));
    }

    /**
     * Of one object.
     *
     * @param unwritten why it is not as planned: all of its groups lack something
     * @param conflicts why single groups do
     */
    private record Outcome(Optional<Blocked> unwritten, List<NodeConflict> conflicts) {}
}
