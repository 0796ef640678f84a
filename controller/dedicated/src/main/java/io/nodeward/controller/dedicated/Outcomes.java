package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.NodeConflict;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.status.Outcome;
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
    private static final Found NONE = new Found(Optional.empty(), List.of());

    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(Outcomes.class));
    private final Map<ObjectKey, Found> outcomes = new ConcurrentHashMap<>();
    private final List<Consumer<ObjectKey>> listeners = new CopyOnWriteArrayList<>();

    /** Told of each object of which there is something else to report. */
    void whenOutcomeChanged(Consumer<ObjectKey> listener) {
        listeners.add(listener);
    }

    /** What keeps the Node from having what this group declares; it names the Node. */
    Optional<Blocked> of(ObjectKey node, String group) {
        return unwritten(node).or(() -> outcomes.getOrDefault(node, NONE).conflicts().stream()
                .filter(conflict -> conflict.group().equals(group)).findFirst()
                .map(conflict -> new Blocked(Reason.TAINT_CONFLICT, "Node " + node + ": " + conflict.message())));
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
        put(node, before -> new Found(before.unwritten(), conflicts));
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
    public Duration report(ObjectKey node, Target target, Outcome outcome) {
        return switch (outcome) {
            case Outcome.NotInEffect reported -> unwritten(node, Optional.of(reported.by()));
            case Outcome.InEffect inEffect -> unwritten(node, Optional.empty());
            case Outcome.Waiting waiting -> Duration.ZERO;
            case Outcome.Planned planned -> Duration.ZERO;
            case Outcome.Failed failed -> Duration.ZERO;
            case Outcome.Restless restless -> Duration.ZERO;
            case Outcome.Summary summary -> throw new IllegalArgumentException(node + " has no members: " + summary);
        };
    }

    @Override
    public void unknown(ObjectKey node) {}

    @Override
    public void forget(ObjectKey node) {
        log.forget("Node " + node);
        put(node, before -> NONE);
    }

    private Duration unwritten(ObjectKey node, Optional<Blocked> by) {
        put(node, before -> new Found(by, before.conflicts()));
        return Duration.ZERO;
    }

    /** Of one object one thread reports at a time. */
    private void put(ObjectKey node, UnaryOperator<Found> change) {
        Found before = outcomes.getOrDefault(node, NONE);
        Found after = change.apply(before);
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
    private record Found(Optional<Blocked> unwritten, List<NodeConflict> conflicts) {}
}
