package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.OrphanTaints;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The order in which Nodes that groups give up lose their taint: one after the other, if they are many. */
final class NodeReleases {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReleases.class);
    /** The time to put back an edit that was a mistake. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private final DedicatedScope scope;
    private final Pacer<ObjectKey> pacer;
    private final int perMinute;
    /** Nodes whose turn has come, until the status of their group says that it has given them up. */
    private final Set<ObjectKey> released = ConcurrentHashMap.newKeySet();
    /** Found at the start, when all caches have been filled. */
    private @Nullable OrphanTaints orphans;

    /** @param perMinute how many Nodes of one group lose its taint per minute */
    NodeReleases(DedicatedScope scope, Pacer<ObjectKey> pacer, int perMinute, MeterRegistry registry) {
        this.scope = scope;
        this.pacer = pacer;
        this.perMinute = perMinute;
        Gauge.builder("nodeward.dedicated.release.waiting", pacer, Pacer::waiting)
                .description("Nodes that wait for their turn to lose the taint of a DedicatedNodes that gives them up")
                .register(registry);
    }

    /**
     * The groups that a Node has now.
     *
     * @param kept groups of which it keeps what it has
     * @param left until the Node may lose more of them; zero if it need not wait
     */
    record Turn(List<Group> groups, List<Group> kept, Duration left) {}

    Turn turn(Node node) {
        List<Group> own = scope.enforced().of(node);
        List<Group> after = afterReleases(node, own);
        List<Group> kept = scope.kept(node);
        List<Group> unknown = orphans().of(node, all(own, kept));
        List<Pacer.Limit> limits = Stream.concat(unknown.stream(), own.stream()
                .filter(group -> after.stream().noneMatch(other -> other.name().equals(group.name())
                        || other.toleration().equals(group.toleration())))
                .filter(group -> isReleasing(group.name()) && DedicatedNodePlan.isManaged(node, group)))
                .map(group -> Pacer.Limit.perMinute(group.name(), perMinute).startingAfter(FIRST)).distinct().toList();
        if (limits.isEmpty()) {
            pacer.release(node.key());
            return new Turn(after, kept, Duration.ZERO);
        }
        Duration left = pacer.left(node.key(), limits);
        if (left.isZero()) {
            released.add(node.key());
        }
        return left.isZero()
                ? new Turn(after, kept, left)
                : new Turn(own, all(kept, unknown), left);
    }

    private synchronized OrphanTaints orphans() {
        OrphanTaints found = orphans;
        if (found == null) {
            found = OrphanTaints.of(scope.nodes().find(DedicatedScope.MANAGED, ""),
                    node -> all(scope.enforced().of(node), scope.kept(node)));
            found.nodes().forEach((taint, nodes) -> LOG.warn(
                    "{} Nodes have the taint {} of DedicatedNodes that do not exist or do not select them any more, and"
                            + " lose it one after the other; to stop this, create these again, or run: nodeward pause",
                    nodes.size(), taint));
            orphans = found;
        }
        return found;
    }

    private static List<Group> all(List<Group> some, List<Group> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    /** Returns the groups of the Node without those that give it up, which are {@code own} if none does. */
    private List<Group> afterReleases(Node node, List<Group> own) {
        if (own.stream().noneMatch(group -> mayGiveUp(group, node))) {
            released.remove(node.key());
            return own;
        }
        Resolution resolution = scope.resolution();
        return resolution.afterReleases(scope.enforced(), name -> isGone(name, resolution)).of(node).stream()
                .filter(group -> !isReleased(group, node, resolution)).toList();
    }

    /** Returns whether the release is over, and the status has not recorded that yet: the Node must not get the taint back. */
    private boolean isReleased(Group group, Node node, Resolution resolution) {
        return released.contains(node.key()) && mayGiveUp(group, node) && !DedicatedNodePlan.isManaged(node, group)
                && resolution.find(group.name()).filter(Resolved::accepted)
                        .filter(resolved -> !resolved.established().equals(Optional.of(group.spec()))).isPresent();
    }

    private boolean mayGiveUp(Group group, Node node) {
        Optional<DedicatedNodesSpec> desired = scope.groups().get(ObjectKey.clusterScoped(group.name()))
                .map(found -> found.spec().spec());
        return desired.isEmpty() || !desired.get().equals(group.spec())
                && (desired.get().enforcement() != EnforcementMode.Enforce || desired.get().shared()
                        || !new Group(group.name(), desired.get()).selects(node));
    }

    /**
     * Returns whether the group was deleted, or lost its status, and enforces nothing. The cache drops an object before its
     * listener knows: until the groups have been compared without it, it stays.
     */
    private boolean isGone(String group, Resolution resolution) {
        return scope.groups().get(ObjectKey.clusterScoped(group)).flatMap(found -> found.spec().applied()).isEmpty()
                && resolution.find(group)
                        .filter(resolved -> resolved.declared().desired().enforcement() != EnforcementMode.Enforce)
                        .isPresent();
    }

    /** Returns whether the group gives up Nodes one after the other. */
    private boolean isReleasing(String group) {
        return scope.resolution().find(group).filter(Resolved::isReleasing).isPresent();
    }

    /** Forgets the turn of a Node that is gone. */
    void forget(ObjectKey node) {
        pacer.release(node);
        released.remove(node);
    }

    /** Forgets the pace of a group that gives up no Nodes: with the next edit the first Node waits again. */
    void ended(String group) {
        pacer.forget(group);
    }
}
