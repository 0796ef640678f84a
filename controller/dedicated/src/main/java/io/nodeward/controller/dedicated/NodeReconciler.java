package io.nodeward.controller.dedicated;

import io.nodeward.api.core.Event;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.DedicatedKey;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Placed;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Decides what one Node gets from all groups in force together. */
final class NodeReconciler implements Reconciler<ObjectKey> {
    /** What decides about the change; what others manage on the Node does as well. */
    private static final List<String> PLANNED_FROM = Stream.concat(NodeChange.PLANNED_FROM.stream(),
            Stream.of(DedicatedAnnotations.LABELS, DedicatedAnnotations.TAINTS)).toList();

    private final DedicatedScope scope;
    private final MarkedGroups confirmed;
    private final Outcomes outcomes;
    private final NodeReleases releases;
    private final Pacer<ObjectKey> pacer;
    /** The pace at which Nodes newly get the effect {@code NoExecute} of a group. */
    private final Function<Group, Pacer.Limit> limit;

    NodeReconciler(
            DedicatedScope scope, Exchange exchange, NodeReleases releases, Pacer<ObjectKey> pacer,
            Function<Group, Pacer.Limit> limit) {
        this.scope = scope;
        this.releases = releases;
        this.confirmed = exchange.confirmed();
        this.outcomes = exchange.nodes();
        this.pacer = pacer;
        this.limit = limit;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<Node> found = scope.caches().nodes().get(key);
        if (found.isEmpty()) {
            pacer.release(key);
            releases.forget(key);
            return new Decision.Gone("the Node does not exist");
        }
        Node node = found.get();
        NodeReleases.Turn turn = releases.turn(node);
        Placement placement = new Placement(node, turn, turn.share().groups().stream()
                .filter(group -> !scope.caches().evictsAny(group, node)).collect(Collectors.toSet()));
        Planned harmless = placement.plan(List.of());
        List<Group> waiting = waiting(placement, harmless.plan().change());
        if (waiting.isEmpty()) {
            pacer.release(key);
            return change(harmless, turn.again());
        }
        Duration left = pacer.left(key, waiting.stream().map(limit).toList());
        return left.isZero()
                ? evict(key, placement, waiting)
                : withhold(placement,
                        new Result.RequeueAfter(left, "the limit of Nodes that newly get NoExecute and evict pods"));
    }

    /** Returns the groups that bring the Node a NoExecute which evicts pods: of one that respects budgets those of DaemonSets alone. */
    private List<Group> waiting(Placement placement, NodeChange harmless) {
        return placement.turn().share().groups().stream()
                .filter(group -> !placement.evictingNobody().contains(group) && confirmed.contains(group))
                .filter(group -> !group.spec().eviction().respectsBudgets()
                        || !scope.caches().evictsAnyBefore(group, placement.node()))
                .filter(group -> brings(placement.node(), placement.plan(List.of(group)).plan().change(), harmless))
                .toList();
    }

    /**
     * Decides on the groups of one taint alone, so that each keeps its pace: the Node, changed, comes back for the others. It asks
     * again: what was confirmed may have been counted without this Node, which has come to the group since.
     */
    private Decision evict(ObjectKey key, Placement placement, List<Group> waiting) {
        Optional<Object> bucket = pacer.bucket(key); // none if its group has gone since
        Map<Optional<Boolean>, List<Group>> isConfirmed = waiting.stream()
                .filter(group -> bucket.filter(limit.apply(group).bucket()::equals).isPresent())
                .collect(Collectors.groupingBy(scope::confirms));
        isConfirmed.getOrDefault(Optional.of(false), List.of())
                .forEach(confirmed::unmark); // so that the Node hears of it if they are confirmed again
        List<Group> now = isConfirmed.getOrDefault(Optional.of(true), List.of());
        return !now.isEmpty() ? change(placement.plan(now), placement.turn().again())
                : isConfirmed.containsKey(Optional.<Boolean>empty()) ? withhold(placement, NodeReleases.UNKNOWN) // with its token
                : reconcile(key);
    }

    private Decision withhold(Placement placement, Result.RequeueAfter other) {
        return change(placement.plan(List.of()),
                placement.turn().again().filter(again -> again.after().compareTo(other.after()) <= 0)
                        .or(() -> Optional.of(other)));
    }

    private static boolean brings(Node node, NodeChange with, NodeChange without) {
        List<Taint> harmless = without.taints().orElse(node.taints());
        return with.taints().orElse(node.taints()).stream()
                .anyMatch(taint -> taint.effect().equals("NoExecute") && !harmless.contains(taint));
    }

    /** The Node with what it has of its groups. */
    private record Placement(Node node, NodeReleases.Turn turn, Set<Group> evictingNobody) {
        /** @param evicting the groups that may evict pods now */
        Planned plan(List<Group> evicting) {
            List<Placed> placed = Stream.concat(
                    turn.share().groups().stream().map(group -> new Placed(
                            group, evictingNobody.contains(group) || evicting.contains(group))),
                    turn.share().kept().stream().map(Placed::kept)).toList();
            return new Planned(node, placed, DedicatedNodePlan.of(node, placed));
        }
    }

    private Decision change(Planned planned, Optional<Result.RequeueAfter> again) {
        Node node = planned.node();
        outcomes.conflicts(node.key(), planned.plan().conflicts());
        outcomes.unproven(node.key(), planned.plan().unproven());
        return new Decision.Change(target(node),
                ObjectChange.homeNode(scope.caches().nodes(), node, planned.plan().change(), PLANNED_FROM),
                planned.placed().stream().map(group -> List.of(group.group().spec(), group.noExecute())).toList(),
                List.of(), Optional.empty(), again, again.isPresent());
    }

    /** What a Node would get. */
    private record Planned(Node node, List<Placed> placed, DedicatedNodePlan plan) {}

    private static Target target(Node node) {
        return new Target(Resources.NODES, new Event.Regarding("v1", "Node", node.key(), node.metadata().uid(),
                node.metadata().resourceVersion()), List.of(), node.metadata().deleting());
    }

    /** Has a Node that was let through leave its place to the next. */
    @Override
    public void executed(ObjectKey key, Decision decision) {
        if (decision instanceof Decision.Change change) {
            if (!change.withheld()) {
                pacer.release(key);
            }
            if (!change.change().isEmpty()) {
                scope.holder().add(new DedicatedKey(Kind.NODE, key)); // of an own write the cache tells nobody
            }
        }
    }
}
