package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which Nodes and which DedicatedNodes a change concerns. */
final class DedicatedWatches {
    private final DedicatedScope scope;

    DedicatedWatches(DedicatedScope scope) {
        this.scope = scope;
    }

    /** Returns the Nodes of groups that differ: each may have to get or lose something. A group that is not enforced gives Nodes nothing. */
    Set<ObjectKey> mapToNodes(Set<Group> differing) {
        return nodes(node -> differing.stream().anyMatch(group -> group.isEnforced() && concerns(group, node)));
    }

    /** Returns whether the Node may be one of the group; a shared group has those that no other has, so it may be any. */
    private static boolean concerns(Group group, Node node) {
        return group.spec().shared() || group.selects(node);
    }

    private Set<ObjectKey> nodes(Predicate<Node> which) {
        return scope.caches().nodes().all().stream().filter(which).map(Node::key).collect(Collectors.toSet());
    }

    /** Returns the other groups: what one declares, or what is in force of it, may contradict them, or not any more. */
    Set<ObjectKey> mapGroupToOthers(
            @Nullable CustomResource<DedicatedNodes> before, @Nullable CustomResource<DedicatedNodes> after) {
        ObjectKey own = MapFunction.latest(before, after).key();
        return MapFunction.declared(before, after).isEmpty()
                ? Set.of()
                : groups(group -> !group.name().equals(own.name()));
    }

    /** Returns the group if its status shows something else of its evictions: pods are evicted when it does. */
    static Set<ObjectKey> mapShown(
            @Nullable CustomResource<DedicatedNodes> before, @Nullable CustomResource<DedicatedNodes> after) {
        return MapFunction.differs(before, after, Evictions::isShown)
                ? Set.of(MapFunction.latest(before, after).key())
                : Set.of();
    }

    static Set<ObjectKey> keys(Set<String> groups) {
        return groups.stream().map(ObjectKey::clusterScoped).collect(Collectors.toSet());
    }

    /** Returns the groups that count the pod: those whose member it is, and those on whose Node it runs. */
    Set<ObjectKey> mapPod(@Nullable CandidatePod before, @Nullable CandidatePod after) {
        Stream<ObjectKey> on = MapFunction.both(before, after).map(pod -> pod.pod().nodeName()).distinct()
                .flatMap(node -> mapOutcome(ObjectKey.clusterScoped(node)).stream());
        Stream<ObjectKey> of = MapFunction.both(before, after).flatMap(pod -> scope.declaring(pod).stream())
                .map(group -> ObjectKey.clusterScoped(group.name()));
        return Stream.concat(on, of).collect(Collectors.toSet());
    }

    /** Returns the Node of a pod that is gone, has ended or tolerates more, if it lacks a {@code NoExecute} that may evict nobody now. */
    Set<ObjectKey> mapPodToNode(@Nullable CandidatePod before, @Nullable CandidatePod after) {
        return before == null || after != null && !after.isFinished()
                && after.pod().tolerations().equals(before.pod().tolerations())
                        ? Set.of()
                        : scope.caches().nodes().get(ObjectKey.clusterScoped(before.pod().nodeName()))
                                .filter(this::awaitsNoExecute)
                                .map(node -> Set.of(node.key())).orElse(Set.of());
    }

    /** Returns all Nodes that lack a {@code NoExecute}, which may evict nobody now. */
    Set<ObjectKey> mapDaemonToNodes(@Nullable DaemonTemplate before, @Nullable DaemonTemplate after) {
        return MapFunction.differs(before, after, DedicatedCaches::template)
                ? nodes(this::awaitsNoExecute)
                : Set.of();
    }

    private boolean awaitsNoExecute(Node node) {
        return scope.declared().enforced().of(node).stream().flatMap(group -> group.taints().stream())
                .filter(taint -> taint.effect().equals("NoExecute"))
                .anyMatch(taint -> node.taints().stream().noneMatch(
                        there -> there.id().equals(taint.id()) && there.value().equals(taint.value())));
    }

    /** Returns the groups of which it matters whether API servers ask about pods. */
    Set<ObjectKey> mapProbe() {
        return groups(group -> asksAboutPods(group.spec()));
    }

    /** Returns whether API servers are to ask about pods for this spec: {@code Audit} does nothing to them. */
    static boolean asksAboutPods(DedicatedNodesSpec spec) {
        return spec.enforcement() != EnforcementMode.Audit;
    }

    /** Returns the pod, if it lacks anything or is gone. */
    Set<ObjectKey> mapLackingPod(@Nullable CandidatePod before, @Nullable CandidatePod after) {
        return after != null && !lacks(after) ? Set.of() : Set.of(MapFunction.latest(before, after).key());
    }

    /** Returns the pods that lack anything now, of those of groups that differ. */
    Set<ObjectKey> mapToPods(Set<Group> differing) {
        return keys(differing.stream().flatMap(scope::members).filter(this::lacks));
    }

    /** Returns the pods that the labels of a namespace have made members. */
    Set<ObjectKey> mapNamespaceToPods(@Nullable LabeledNamespace before, @Nullable LabeledNamespace after) {
        return MapFunction.differs(before, after, LabeledNamespace::labels)
                ? keys(scope.caches().pods()
                        .find(DedicatedCaches.OF_NAMESPACE, MapFunction.latest(before, after).key().name())
                        .stream().filter(this::lacks))
                : Set.of();
    }

    /** Returns the pods that a claim, or a template of claims, has made members. */
    Set<ObjectKey> mapClaimToPods(ObjectKey claim) {
        return keys(
                scope.caches().pods().find(DedicatedCaches.OF_CLAIM, claim.toString()).stream().filter(this::lacks));
    }

    private boolean lacks(CandidatePod pod) {
        return !scope.missing(pod).tolerations().isEmpty();
    }

    private static Set<ObjectKey> keys(Stream<CandidatePod> pods) {
        return pods.map(CandidatePod::key).collect(Collectors.toSet());
    }

    /** Returns the groups that report what keeps a pod from its tolerations. */
    Set<ObjectKey> mapPodOutcome(ObjectKey pod) {
        return scope.caches().pods().get(pod).stream().flatMap(found -> scope.declaring(found).stream())
                .map(group -> ObjectKey.clusterScoped(group.name())).collect(Collectors.toSet());
    }

    /** Returns the groups that report what keeps a Node from being as declared: those whose Node it is, or was. */
    Set<ObjectKey> mapOutcome(ObjectKey node) {
        return scope.caches().nodes().get(node).map(found -> groups(group -> concerns(group, found)))
                .orElse(Set.of());
    }

    private Set<ObjectKey> groups(Predicate<Group> which) {
        return scope.declared().versions().stream().filter(which).map(group -> ObjectKey.clusterScoped(group.name()))
                .collect(Collectors.toSet());
    }
}
