package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Tolerance;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Whom taints would evict that a Node does not have yet; whom those that it has evict is decided already. */
public final class NewEvictions {
    private NewEvictions() {}

    /**
     * Returns whether the Node would evict anybody, now or later, if it got all taints of the group.
     *
     * @param pods all of the Node
     * @param daemon finds the template of a DaemonSet
     */
    public static boolean any(Group group, Node node, Collection<CandidatePod> pods,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return ends(group, node, pods, daemon).findAny().isPresent();
    }

    /** Returns whether any pod has to be gone before the taints of a group that respects budgets may end the others. */
    public static boolean anyBefore(Group group, Node node, Collection<CandidatePod> pods,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return ends(group, node, pods, daemon).anyMatch(end -> end != Stranger.End.TAINT);
    }

    private static Stream<Stranger.End> ends(Group group, Node node, Collection<CandidatePod> pods,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return pods.stream().filter(pod -> counts(pod, Optional.of(node)))
                .flatMap(pod -> stranger(pod, node.taints(), group.taints(), List.of(), daemon).stream())
                .map(Stranger::end);
    }

    /**
     * Returns whether a request may evict the pod, so that the Node can get what it would get of the group.
     *
     * @param all the groups of the Node
     * @param given tolerations that the pod gets
     */
    public static boolean byRequest(Group group, Node node, Collection<Group> all, CandidatePod pod,
            List<Toleration> given, Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        List<Placed> placed = all.stream().map(each -> new Placed(each, each.equals(group))).toList();
        List<Taint> after = group.taintsOn(DedicatedNodePlan.of(node, placed).change().applyTo(node, ""));
        return counts(pod, Optional.of(node)) && stranger(pod, node.taints(), after, given, daemon)
                .filter(found -> found.end() == Stranger.End.REQUEST).isPresent();
    }

    /**
     * Returns the pod if taints that were not there before evict it.
     *
     * @param given tolerations that it gets besides; the template of its DaemonSet gets none
     */
    static Optional<Stranger> stranger(CandidatePod pod, List<Taint> before, List<Taint> after, List<Toleration> given,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return decisive(pod, given, daemon).flatMap(tolerations -> evictAfter(before, after, tolerations).stream())
                .min(Comparator.naturalOrder()).map(tolerated -> new Stranger(pod.key(), pod.metadata().uid(),
                        pod.pod().nodeName(), tolerated, end(pod, daemon)));
    }

    private static Stranger.End end(CandidatePod pod, Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return pod.isTruncated() || template(pod, daemon).filter(found -> found.pod().isTruncated()).isPresent()
                ? Stranger.End.UNKNOWN
                : daemonSet(pod).isPresent() ? Stranger.End.TAINT : Stranger.End.REQUEST;
    }

    /**
     * Returns what decides whether the pod stays on its Node: its own tolerations and, of a pod of a DaemonSet, those of the
     * template too, by which the controller of DaemonSets deletes it whatever the pod tolerates. A truncated pod has none here, so
     * that it counts as evicted.
     *
     * @param given tolerations that the pod gets besides; its template gets none
     */
    static Stream<List<Toleration>> decisive(CandidatePod pod, List<Toleration> given,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return Stream.concat(
                Stream.of(Stream.concat(pod.pod().tolerations().stream(), given.stream()).toList()),
                template(pod, daemon).map(found -> found.pod().pod().tolerations()).stream());
    }

    private static Optional<DaemonTemplate> template(CandidatePod pod,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon) {
        return daemonSet(pod).flatMap(owner -> daemon.apply(new ObjectKey(pod.key().namespace(), owner.name()))
                .filter(found -> found.metadata().uid().equals(owner.uid())));
    }

    /** Returns who made the pod, if it says that a DaemonSet did. */
    static Optional<OwnerRef> daemonSet(CandidatePod pod) {
        return pod.metadata().controller().filter(Author::isDaemonSet);
    }

    /**
     * Returns whether the pod may be evicted: neither has it ended, nor does a kubelet run it by itself.
     *
     * @param node that it runs on; empty if that is not known
     */
    static boolean counts(CandidatePod pod, Optional<Node> node) {
        return !pod.isFinished() && node.filter(pod::isMirrorOf).isEmpty();
    }

    /**
     * Returns after which time a pod with these tolerations is evicted by taints after a change that were not there before; empty if
     * it stays.
     */
    static Optional<Duration> evictAfter(List<Taint> before, List<Taint> after, List<Toleration> tolerations) {
        return switch (Eviction.of(added(before, after), tolerations, Tolerance.DEFAULT)) {
            case Eviction.Never never -> Optional.empty();
            case Eviction.Now now -> Optional.of(Duration.ZERO);
            case Eviction.After(Duration time) -> Optional.of(time);
        };
    }

    private static List<Taint> added(List<Taint> before, List<Taint> after) {
        return after.stream().filter(taint -> before.stream()
                .noneMatch(known -> known.id().equals(taint.id()) && known.value().equals(taint.value()))).toList();
    }
}
