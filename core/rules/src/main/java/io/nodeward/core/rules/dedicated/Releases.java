package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the groups declare, and which Nodes they give up, and when. What was in force of a group stays known when the group is deleted
 * or loses its status, so that its Nodes do not all lose their taint at once; a restart forgets it. Nothing here looks at pods or
 * compares groups, so nobody waits for it for long. One thread at a time uses this.
 */
public final class Releases {
    final SortedMap<String, History> groups = new TreeMap<>();
    private final Function<ObjectKey, Optional<CustomResource<DedicatedNodes>>> view;
    private final Supplier<MemberFacts> members;
    private final Supplier<List<Node>> managed;
    private Optional<MemberFacts> facts = Optional.empty();
    private Optional<Resolution> compared = Optional.empty();
    private Declared declared = Declared.NOTHING;
    /** True if any of these has changed since {@link #declared} was computed. */
    private boolean isOutdated = true;
    private Set<Group> differing = new HashSet<>();
    /** Groups that were never in force and are not as they were. The next decision on a Node looks for their taints. */
    private final Set<Group> givenUp = new HashSet<>();
    /** Empty until the caches have been filled. */
    private Optional<OrphanTaints> orphans = Optional.empty();

    /**
     * @param now the object; empty if it was deleted
     * @param lost the object when its status last recorded a spec, if the object or that record is gone
     * @param ended whether the controller itself empties the status
     * @param released the spec in force whose Nodes lose the taint one after the other, until the status says that this is over
     */
    record History(Optional<CustomResource<DedicatedNodes>> now, Optional<CustomResource<DedicatedNodes>> lost,
            boolean ended, Optional<DedicatedNodesSpec> released) {
        static final History NONE = new History(Optional.empty(), Optional.empty(), false, Optional.empty());

        History with(Optional<CustomResource<DedicatedNodes>> next) {
            boolean isRecorded = hasApplied(next);
            boolean isLost = !isRecorded && hasApplied(now) && (next.isEmpty() || !ended);
            return new History(next, isLost ? now : lost.filter(before -> !isRecorded), ended && next.isPresent(),
                    released);
        }

        private static boolean hasApplied(Optional<CustomResource<DedicatedNodes>> group) {
            return group.flatMap(there -> there.spec().applied()).isPresent();
        }

        /** Returns the group with the spec that is in force; a group that was deleted declares {@code Audit}. */
        Optional<DeclaredGroup> declared() {
            Optional<DeclaredGroup> before = lost.map(DeclaredGroup::of);
            return now.map(DeclaredGroup::of)
                    .map(group -> before.map(last -> group.with(group.desired(), last.applied())).orElse(group))
                    .or(() -> before.map(last -> last.with(
                            last.desired().withEnforcement(EnforcementMode.Audit), last.applied())));
        }

        /** Returns whether the release has ended with a status, or because its edit was put back. */
        boolean isOver() {
            return released.isPresent() && declared().filter(group -> group.applied().equals(released)
                    && !group.desired().equals(released.get())).isEmpty();
        }
    }

    /**
     * Creates a state that has folded in no group. None of the functions may block.
     *
     * @param view the groups as they are at this moment
     * @param members what the namespaces and claims say at this moment about who is a member
     * @param managed all Nodes that have anything because of groups at this moment
     */
    public Releases(Function<ObjectKey, Optional<CustomResource<DedicatedNodes>>> view,
            Supplier<MemberFacts> members, Supplier<List<Node>> managed) {
        this.view = view;
        this.members = members;
        this.managed = managed;
    }

    /** Folds in what there is of a group now, once or repeatedly. */
    public void apply(ObjectKey group) {
        put(group.name(), history(group.name()).with(view.apply(group)));
    }

    /**
     * Folds in what becomes of a group, before its status records that: with no spec in force, the empty status is the work of the
     * controller.
     */
    public void decide(Resolved resolved) {
        String name = resolved.declared().name();
        History before = history(name);
        Optional<DedicatedNodesSpec> next = resolved.established();
        if (before.now().filter(group -> group.spec().spec().equals(resolved.declared().desired())).isPresent()) {
            put(name, new History(before.now(), before.lost().filter(lost -> next.isPresent()), next.isEmpty(),
                    before.released().filter(spec -> resolved.isReleasing() || !next.equals(before.released()))));
        }
    }

    /** Forgets a group that was deleted and gives up no more Nodes. */
    public void forget(String name) {
        if (findDeleted(name).isPresent()) {
            put(name, History.NONE);
        }
    }

    private void put(String name, History next) {
        boolean differs = !history(name).declared().equals(next.declared()); // before anything is changed: it may fail
        groups.put(name, next.isOver()
                ? new History(next.now(), next.lost(), next.ended(), Optional.empty())
                : next);
        groups.remove(name, History.NONE);
        isOutdated |= differs;
    }

    private History history(String name) {
        return groups.getOrDefault(name, History.NONE);
    }

    /** Folds in that the labels of a namespace have changed. */
    public void outdateMembers() {
        facts = Optional.empty();
        isOutdated = true;
    }

    /** Folds in what the groups amount to beside each other. */
    public void compared(Resolution resolution) {
        differing(compared.stream().flatMap(Resolution::releasing), resolution.releasing()).forEach(differing::add);
        compared = Optional.of(resolution);
        Declared next = isOutdated ? declared : declared.comparedWith(resolution);
        if (next != declared) {
            publish(next);
        }
    }

    /** Returns what is among some and not among the others. */
    private static <T> Stream<T> differing(Stream<T> some, Stream<T> others) {
        Set<T> all = some.collect(Collectors.toSet());
        others.forEach(other -> {
            if (!all.add(other)) {
                all.remove(other);
            }
        });
        return all.stream();
    }

    /** Returns what is declared now. */
    public Declared declared() {
        if (isOutdated) {
            MemberFacts now = facts.orElseGet(members);
            facts = Optional.of(now);
            publish(Declared.of(groups.values().stream().flatMap(group -> group.declared().stream()).toList(),
                    compared, now));
            isOutdated = false;
        }
        return declared;
    }

    private void publish(Declared next) {
        differing(declared.all().stream(), next.all().stream())
                .flatMap(group -> group.inForce().stream()).forEach(differing::add);
        differing(declared.ofStoredPods().all().stream(), next.ofStoredPods().all().stream())
                .filter(Group::acts).forEach(differing::add);
        List<Group> ended = declared.unestablished().all().stream().filter(group -> !next.unestablished().all()
                .contains(group) && !next.enforced().all().contains(group)).toList();
        differing.addAll(ended);
        givenUp.addAll(ended);
        declared = next;
    }

    private OrphanTaints orphans(Predicate<Node> which) {
        OrphanTaints found = OrphanTaints.of(managed.get().stream().filter(which).toList(),
                node -> both(declared.enforced().of(node), declared.kept(node)));
        givenUp.clear();
        return found;
    }

    /** Returns whether a group may differ that no caller has {@link #takeDiffering taken} yet; it computes nothing. */
    public boolean mayDiffer() {
        return isOutdated || !differing.isEmpty();
    }

    /**
     * Returns the groups because of which Nodes, or pods that exist, may have to get something else since the last call. Each is there as
     * it was and as it is: what one gives up another may give. No object need have changed, as when a group is forgotten that was deleted.
     */
    public Set<Group> takeDiffering() {
        declared();
        Set<Group> taken = differing;
        differing = new HashSet<>();
        return taken;
    }

    /** Returns a group that was deleted, as it was, while Nodes may still have its taint. */
    public Optional<CustomResource<DedicatedNodes>> findDeleted(String name) {
        return history(name).lost().filter(lost -> history(name).now().isEmpty());
    }

    /** Finds the taints that no group gives to the Nodes that have them, when the caches have been filled. */
    public OrphanTaints start() {
        declared();
        OrphanTaints found = orphans(node -> true);
        orphans = Optional.of(found);
        return found;
    }

    public boolean isStarted() {
        return orphans.isPresent();
    }

    /** Forgets a Node that is gone. */
    public void forget(ObjectKey node) {
        orphans.ifPresent(found -> found.retain(node, List.of()));
    }

    /** Returns whether a group may give up the Node: {@link #of} needs the groups compared then. */
    public boolean mayGiveUp(Node node) {
        return declared().enforced().of(node).stream().anyMatch(group -> mayGiveUp(group, node));
    }

    private boolean mayGiveUp(Group held, Node node) {
        DedicatedNodesSpec desired = desired(held.name());
        Group next = new Group(held.name(), desired);
        return !desired.equals(held.spec()) && (desired.enforcement() != EnforcementMode.Enforce || desired.shared()
                || held.isWeakenedBy(next) || !next.selects(node));
    }

    private DedicatedNodesSpec desired(String enforced) {
        return history(enforced).declared().orElseThrow().desired();
    }

    /**
     * What a Node has of its groups.
     *
     * @param groups whose taints it gets
     * @param kept groups of which it keeps what it has
     */
    public record Share(List<Group> groups, List<Group> kept) {}

    /**
     * What becomes of a Node.
     *
     * @param by names of the groups that give it up one after the other; empty if the Node need not wait
     */
    public record Release(Set<String> by, Share before, Share after) {
        /** @param isTurn whether the turn of the Node has come */
        public Share share(boolean isTurn) {
            return isTurn ? after : before;
        }
    }

    /**
     * Decides what a Node keeps and what it gives up.
     *
     * @param compared the groups beside each other. Without them, or if a spec has changed since, the Node keeps what it has of
     *     groups that may give it up: the change of the spec brings the Node back
     */
    public Release of(Node node, Optional<Resolution> compared) {
        List<Group> own = declared().enforced().of(node);
        Optional<Resolution> latest = compared.filter(this::isLatest);
        List<Group> unsure =
                latest.isPresent() ? List.of() : own.stream().filter(group -> mayGiveUp(group, node)).toList();
        List<Group> kept = both(declared().kept(node), unsure);
        List<Group> after = latest.map(resolution -> after(node, resolution))
                .orElseGet(() -> own.stream().filter(group -> !unsure.contains(group)).toList());
        List<Group> leaving = own.stream()
                .filter(group -> !stays(group, after)
                        && latest.flatMap(all -> all.find(group.name())).filter(Resolved::isReleasing).isPresent()
                        && DedicatedNodePlan.isHeld(node, group))
                .toList();
        leaving.forEach(group -> groups.computeIfPresent(group.name(), (name, history) -> new History(
                history.now(), history.lost(), history.ended(), Optional.of(group.spec()))));
        List<Group> unknown = unknown(node, own, kept);
        return new Release(both(leaving, unknown).stream().map(Group::name).collect(Collectors.toSet()),
                new Share(own.stream().filter(group -> stays(group, after) || leaving.contains(group)).toList(),
                        both(kept, unknown)),
                new Share(after, kept));
    }

    private static boolean stays(Group group, List<Group> after) {
        return after.stream().anyMatch(other -> (other.name().equals(group.name()) || other.hasTaintOf(group))
                && !group.isWeakenedBy(other));
    }

    /** Forgets the taints of unknown groups that the Node has lost, or has because of a group again; returns the other groups. */
    private List<Group> unknown(Node node, List<Group> own, List<Group> kept) {
        List<Group> ended = List.copyOf(givenUp);
        orphans = ended.isEmpty() ? orphans : orphans.map(found -> found.with(ended, orphans(other -> ended.stream()
                .anyMatch(group -> other.taints().stream().anyMatch(group::hasKeyAndValueOf)))));
        orphans.ifPresent(found -> found.retain(node.key(), found.of(node, own)));
        return orphans.map(found -> found.of(node, both(own, kept))).orElse(List.of());
    }

    private boolean isLatest(Resolution compared) {
        return declared().enforced().all().stream().map(Group::name).allMatch(name -> compared.find(name)
                .filter(found -> found.declared().desired().equals(desired(name))).isPresent());
    }

    private List<Group> after(Node node, Resolution compared) {
        return compared.afterReleases(declared().enforced(), this::isGone).of(node).stream()
                .flatMap(
                        group -> isReleased(group, node, compared) ? weakened(group, node, compared) : Stream.of(group))
                .toList();
    }

    /** Returns what the group becomes, if the Node keeps a taint that keeps no pod off. */
    private static Stream<Group> weakened(Group group, Node node, Resolution compared) {
        return compared.find(group.name()).flatMap(Resolved::next)
                .filter(next -> group.isWeakenedBy(next) && next.selects(node)).stream();
    }

    /** Returns whether the group was deleted, or lost its status, and enforces nothing. */
    private boolean isGone(String group) {
        return history(group).lost().isPresent() && desired(group).enforcement() != EnforcementMode.Enforce;
    }

    /** Returns whether the release is over, and the status does not record that yet: the Node must not get the taint back. */
    private boolean isReleased(Group group, Node node, Resolution compared) {
        return history(group.name()).released().equals(Optional.of(group.spec())) && mayGiveUp(group, node)
                && !DedicatedNodePlan.isHeld(node, group)
                && compared.find(group.name()).filter(Resolved::accepted)
                        .filter(resolved -> !resolved.established().equals(Optional.of(group.spec()))).isPresent();
    }

    private static List<Group> both(List<Group> some, List<Group> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }
}
