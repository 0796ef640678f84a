package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.preview.Sample;
import io.nodeward.core.rules.taint.TrackedTaints;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What cannot be in force beside what is. A Node or a pod of several groups is none of it. */
final class Contradictions {
    /** A group that gives up no more Nodes than this does so at once. */
    private static final int RELEASED_AT_ONCE = 10;
    /** A group that gives up no larger part of its Nodes does so at once. */
    private static final int RELEASED_PERCENT = 10;

    private final ClusterView view;
    private final NodeSets nodes;
    private final MemberSets members;
    private final PodFeatures features;
    /** Groups that give pods their toleration and have no Nodes. */
    private final List<Group> warned;

    /**
     * @param declared all that may be compared, as it is declared and as it was applied
     * @param features what is done to pods
     */
    Contradictions(Collection<DeclaredGroup> declared, ClusterView view, PodFeatures features) {
        this.view = view;
        this.features = features;
        this.warned = declared.stream().map(group -> new Group(group.name(), group.desired())).filter(Group::isWarned)
                .toList();
        this.nodes = view.nodes();
        this.members = new MemberSets(declared.stream()
                .flatMap(group -> Stream.concat(Stream.of(group.desired()), group.applied().stream()))
                .map(DedicatedNodesSpec::who).toList(), view.members());
    }

    /** Why this group cannot be enforced beside these; the one of its own name does not count. */
    List<Conflict> of(Group wanted, Groups groups) {
        Optional<Conflict> fault = fault(wanted);
        if (fault.isPresent()) {
            return List.of(fault.get());
        }
        Groups others = groups.without(wanted.name());
        List<Conflict> conflicts = new ArrayList<>(others(wanted, others));
        taintOfOthers(wanted, others).ifPresent(conflicts::add);
        return conflicts;
    }

    static Optional<Conflict> fault(Group wanted) {
        return wanted.fault().map(text -> new Conflict(Reason.INVALID, "", text));
    }

    /**
     * Why the group may not come into force yet: pods that are given the toleration of its taint have it first, and so have the
     * templates of DaemonSets. Of the shared group all pods do, as nobody is left to schedule one that its taint keeps off. No
     * DaemonSet loses its pods because they are refused.
     *
     * @param refusesDaemonSets whether that is intended
     */
    Optional<Conflict> ofPods(Group wanted, Groups groups, boolean refusesDaemonSets) {
        Optional<Group> there = groups.find(wanted.name()).filter(sameTaint(wanted));
        boolean mayCutOff = features.tolerations() || wanted.spec().shared() && there.isEmpty();
        boolean mayRefuse = features.admission() && !refusesDaemonSets;
        if (!mayCutOff && !mayRefuse || there.filter(group -> !takesMore(wanted, group, groups)).isPresent()) {
            return Optional.empty();
        }
        Groups acting = new Groups(Stream.concat(groups.all().stream(),
                warned.stream().filter(group -> groups.find(group.name()).isEmpty())).toList());
        Preview preview = new Survey(acting, view, false).preview(wanted);
        if (mayRefuse && preview.refusedDaemonSets().count() > 0) {
            return Optional.of(refused(wanted, preview.refusedDaemonSets()));
        }
        return mayCutOff ? cutOff(wanted, preview, there.isPresent()) : Optional.empty();
    }

    private Optional<Conflict> cutOff(Group wanted, Preview preview, boolean isThere) {
        if (preview.daemonSets().count() > 0) {
            return Optional.of(daemonSets(wanted, preview.daemonSets()));
        }
        return isThere ? Optional.empty() : features.tolerations() ? pending(wanted, preview) : cutOff(wanted, preview);
    }

    /** Whether pods could lose more Nodes by this than by what is there. */
    private boolean takesMore(Group wanted, Group there, Groups groups) {
        BitSet more = new BitSet();
        more.or(nodes.of(wanted, groups));
        more.andNot(nodes.of(there, groups));
        return !more.isEmpty() || !there.taints().containsAll(wanted.taints());
    }

    private Optional<Conflict> pending(Group wanted, Preview preview) {
        boolean isBeingGiven = wanted.spec().shared() && preview.cutOff().count() == 0;
        if (preview.exposed() > 0 || isBeingGiven && preview.withoutToleration().count() > 0) {
            return Optional.of(new Conflict(Reason.TOLERATIONS_PENDING, "", "pods have yet to get the toleration of "
                    + text(wanted) + "; status.preview.withoutToleration names them"));
        }
        if (preview.awaitingClaims() > 0 && !view.members().claims().listed()) {
            return Optional
                    .of(new Conflict(Reason.TOLERATIONS_PENDING, "", "claims of devices, which make pods members,"
                            + " have not been listed yet"));
        }
        return wanted.spec().shared() ? cutOff(wanted, preview) : Optional.empty();
    }

    private static Optional<Conflict> cutOff(Group wanted, Preview preview) {
        int cutOff = preview.cutOff().count();
        int without = preview.withoutToleration().count();
        return cutOff + without == 0
                ? Optional.empty()
                : Optional.of(new Conflict(Reason.PODS_CUT_OFF, "", "the taint would cut off " + cutOff
                        + " pods, and " + without + " pods have yet to get the toleration of " + text(wanted)));
    }

    private static Conflict daemonSets(Group wanted, Sample named) {
        return new Conflict(Reason.DAEMON_SETS_NOT_TOLERATING, "",
                "the templates of " + named.count() + " DaemonSets do not tolerate "
                        + text(wanted) + ", and their pods would not run on the Nodes any more: " + listed(named));
    }

    private static Conflict refused(Group wanted, Sample named) {
        return new Conflict(Reason.DAEMON_SETS_REFUSED, "",
                "pods of " + named.count() + " DaemonSets on the Nodes would be refused, as they tolerate "
                        + text(wanted)
                        + " and are no members: " + listed(named)
                        + "; make them members, name their namespaces in --dedicated-system-namespaces, or set the annotation "
                        + DedicatedAnnotations.REFUSE_DAEMON_SETS + "=true to refuse them");
    }

    private static String listed(Sample named) {
        return String.join(", ", named.names()) + (named.count() > Sample.MOST ? ", ..." : "");
    }

    /** Whether an edit, such as a typo, takes all Nodes from the group; one whose Nodes are gone may be edited freely. */
    Optional<Conflict> losesAllNodes(Group wanted, Groups groups) {
        BitSet now = groups.find(wanted.name()).map(group -> nodes.of(group, groups)).orElseGet(BitSet::new);
        return now.isEmpty() || now.intersects(nodes.of(wanted, groups))
                ? Optional.empty()
                : Optional.of(new Conflict(Reason.LOSES_ALL_NODES, "", "the edit selects none of the "
                        + now.cardinality() + " Nodes that the group has (" + names(now) + "), so that the spec in"
                        + " status.applied stays in force; to give them up, set spec.enforcement to Audit first"));
    }

    /**
     * Returns why the group stays as it was in force: its Nodes lose the taint one after the other, as an edit or a deletion may
     * be a mistake. A few Nodes, or a small part of the group, are given up at once. The number of Nodes that it gives up in all
     * decides, not how many are left, so that the last ones keep the pace.
     *
     * @param wanted empty if the group gives up all Nodes, as it does with an effect that keeps no pod off
     */
    Optional<Conflict> releases(Group held, Optional<Group> wanted, Groups groups) {
        BitSet all = nodes.of(held, groups);
        BitSet leaving = (BitSet) all.clone();
        wanted.filter(next -> !held.isWeakenedBy(next)).ifPresent(next -> leaving.andNot(nodes.of(next, groups)));
        groups.without(held.name()).all().stream()
                .filter(other -> other.isEnforced() && other.hasTaintOf(held) && !held.isWeakenedBy(other))
                .forEach(other -> leaving.andNot(nodes.of(other, groups))); // these keep the taint
        int count = leaving.cardinality();
        if (!areMany(count, all.cardinality())) {
            return Optional.empty();
        }
        long left = leaving.stream().filter(place -> DedicatedNodePlan.isHeld(nodes.node(place), held)).count();
        return left == 0
                ? Optional.empty()
                : Optional.of(new Conflict(Reason.RELEASING, "", left + " of " + count
                        + " Nodes that the group gives up still have the taint " + text(held)
                        + ". They lose it one after the other."
                        + wanted.map(next -> waiting(all, nodes.of(next, groups)))
                                .orElse("")
                        + " To stop this, restore the spec that is in status.applied, or run: nodeward pause. To go"
                        + " faster, raise --dedicated-release-nodes-per-minute"));
    }

    private static String waiting(BitSet before, BitSet after) {
        BitSet added = (BitSet) after.clone();
        added.andNot(before);
        return " The rest of the edit waits until then"
                + (added.isEmpty() ? "."
                        : ": " + added.cardinality() + " Nodes that it adds do not have the taint yet.");
    }

    /** Returns whether so many Nodes of all that have a taint lose it one after the other. */
    static boolean areMany(int count, int all) {
        return count > RELEASED_AT_ONCE && count * 100L > (long) all * RELEASED_PERCENT;
    }

    private String names(BitSet some) {
        return listed(new Sample(some.cardinality(), nodes.names(some).limit(Sample.MOST).toList()));
    }

    private static Predicate<Group> sameTaint(Group wanted) {
        return wanted.spec().shared()
                ? group -> group.spec().shared() && group.taints().equals(wanted.taints())
                : group -> group.toleration().equals(wanted.toleration());
    }

    /** Returns the conflicts of groups that were in force beside each other before Nodes changed. */
    List<Conflict> betweenEstablished(Group wanted, Groups groups) {
        return others(wanted, groups.without(wanted.name()));
    }

    /** Why these two, of which neither is in force, could not both be. */
    List<Conflict> betweenTried(Group wanted, Group other) {
        return other.name().equals(wanted.name()) || wanted.fault().isPresent() || other.fault().isPresent()
                ? List.of()
                : between(wanted, other).toList();
    }

    private List<Conflict> others(Group wanted, Groups others) {
        return others.all().stream().flatMap(other -> between(wanted, other)).toList();
    }

    private Stream<Conflict> between(Group wanted, Group other) {
        return Stream.of(secondShared(wanted, other), otherValue(wanted, other), noNodeOfBoth(wanted, other))
                .flatMap(Optional::stream);
    }

    private static Optional<Conflict> secondShared(Group wanted, Group other) {
        return wanted.spec().shared() && other.spec().shared()
                ? Optional.of(new Conflict(Reason.SECOND_SHARED_GROUP, other.name(),
                        "DedicatedNodes " + other.name() + " is the shared group"))
                : Optional.empty();
    }

    private Optional<Conflict> otherValue(Group wanted, Group other) {
        Optional<String> node = contradict(wanted, other) ? nodes.firstOfBoth(wanted, other) : Optional.empty();
        return node.map(name -> new Conflict(Reason.TAINT_VALUE, other.name(), "DedicatedNodes " + other.name()
                + " has Node " + name + " too, with the taint " + text(other)));
    }

    /** Whether no Node can have what both declare: it has one label for each key of a taint, and so one value. */
    static boolean contradict(Group one, Group other) {
        return one.spec().taint().key().equals(other.spec().taint().key())
                && !one.spec().taint().value().equals(other.spec().taint().value());
    }

    static String text(Group group) {
        return group.spec().taint().key() + "=" + group.spec().taint().value();
    }

    private Optional<Conflict> taintOfOthers(Group wanted, Groups others) {
        return nodes.of(wanted, others).stream()
                .mapToObj(nodes::node)
                .filter(node -> isDeclaredByClusterApi(wanted, node))
                .min(Comparator.comparing(node -> node.key().name()))
                .map(node -> new Conflict(Reason.TAINT_OF_OTHERS, "", "Node " + node.key().name()
                        + " has a taint with this key and another value, which its Machine declares"));
    }

    private static boolean isDeclaredByClusterApi(Group wanted, Node node) {
        return TrackedTaints.onNode(node).anyMatch(taint -> taint.key().equals(wanted.spec().taint().key())
                && !taint.value().equals(wanted.spec().taint().value())
                && wanted.spec().taint().effectsOnNode().contains(taint.effect()));
    }

    /** Whether pods of both could run on no Node, as both let them run on their own alone. */
    private Optional<Conflict> noNodeOfBoth(Group wanted, Group other) {
        return wanted.spec().exclusive() && other.spec().exclusive()
                && !wanted.spec().taint().key().equals(other.spec().taint().key())
                && members.overlap(wanted, other)
                && !nodes.selectedBy(wanted).intersects(nodes.selectedBy(other))
                        ? Optional.of(new Conflict(Reason.EXCLUSIVE_SETS, other.name(), "DedicatedNodes " + other.name()
                                + " is exclusive for some of the same pods, and no Node is of both"))
                        : Optional.empty();
    }
}
