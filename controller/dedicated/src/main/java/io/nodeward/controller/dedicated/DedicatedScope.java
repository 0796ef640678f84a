package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.GroupsByNamespace;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NewEvictions;
import io.nodeward.core.rules.dedicated.PodAdditions;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Releases;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of the cluster, from caches alone. What is computed of all groups together is kept until it may differ. */
final class DedicatedScope {
    /** Nodes with something that is managed because of groups; for the cache of Nodes. */
    static final Index<Node> MANAGED = new Index<>("managed by DedicatedNodes",
            node -> node.metadata().labels().containsKey(DedicatedAnnotations.DIGEST)
                    || Stream.of(DedicatedAnnotations.TAINTS, DedicatedAnnotations.LABELS)
                            .anyMatch(node.metadata().annotations()::containsKey) ? List.of("") : List.of());

    private final ObjectCache<CustomResource<DedicatedNodes>> groups;
    private final Releases releases = new Releases();
    private final ObjectCache<Node> nodes;
    private final ObjectCache<CandidatePod> pods;
    private final ObjectCache<LabeledNamespace> namespaces;
    private final CachedClaims claims;
    private final Set<String> systemNamespaces;
    private final ObjectCache<DaemonTemplate> daemons;
    private final PodFeatures features;
    private final List<Consumer<Node>> changedNode = new CopyOnWriteArrayList<>();
    private final Computed<Groups> ofNewPods = new Computed<>(this::computeOfNewPods);
    private final Computed<MemberFacts> members = new Computed<>(this::computeMembers);
    private final Computed<GroupsByNamespace> byNamespace =
            new Computed<>(() -> new GroupsByNamespace(declared(), members.get()));
    private final Computed<Boolean> waitsForPods = new Computed<>(this::computeWaitsForPods);
    private final Computed<Resolution> resolution = new Computed<>(this::computeResolution);
    private final ClusterView view;
    private final SettledNodes settled;

    /**
     * Hears of each change before any controller does, which may ask for what it has computed.
     *
     * @param systemNamespaces whose pods may tolerate the taints of all groups
     * @param features what is done to pods
     * @param looking what looks at the cluster in its place
     * @throws IllegalStateException if somebody listens to one of these caches already
     */
    DedicatedScope(
            ObjectCache<CustomResource<DedicatedNodes>> groups,
            ObjectCache<Node> nodes,
            ObjectCache<CandidatePod> pods,
            ObjectCache<LabeledNamespace> namespaces,
            CachedClaims claims,
            ObjectCache<DaemonTemplate> daemons,
            PodFeatures features,
            Set<String> systemNamespaces,
            UnaryOperator<ClusterView> looking) {
        this.groups = groups;
        this.nodes = nodes;
        this.pods = pods;
        this.namespaces = namespaces;
        this.claims = claims;
        this.systemNamespaces = Set.copyOf(systemNamespaces);
        this.daemons = daemons;
        this.features = features;
        CachedCluster cached = new CachedCluster(pods, daemons, systemNamespaces, members::get);
        this.view = looking.apply(cached);
        resolution.outdates(ofNewPods, waitsForPods);
        groups.subscribeFirst((before, after) -> {
            String name = MapFunction.latest(before, after).key().name();
            if (releases(state -> state.apply(name, Optional.ofNullable(after)))) {
                outdateGroups();
                if (!isExpected(before, after)) {
                    resolution.outdate();
                }
            }
        });
        this.settled = new SettledNodes(nodes, view, moves -> {
            if (moves || resolution.latest().filter(Resolution::isReleasing).isPresent()) { // a release ends with a taint
                resolution.outdate();
            } else {
                outdateIfPodsCount();
            }
        });
        pods.subscribeFirst((before, after) -> {
            cached.changed(before, after);
            outdateIfPodsCount();
        });
        claims.whenChanged(claim -> outdateIfPodsCount());
        daemons.subscribeFirst((before, after) -> {
            if (MapFunction.differs(before, after, DedicatedScope::template)) {
                outdateIfPodsCount();
            }
        });
        namespaces.subscribeFirst((before, after) -> {
            if (MapFunction.differs(before, after, LabeledNamespace::labels)) {
                Stream.of(members, byNamespace, resolution).forEach(Computed::outdate);
            }
        });
    }

    private void outdateGroups() {
        Stream.of(ofNewPods, byNamespace, waitsForPods).forEach(Computed::outdate);
    }

    /** What of a DaemonSet decides where its pods run. */
    static List<Object> template(DaemonTemplate daemon) {
        return List.of(daemon.pod(), daemon.spec());
    }

    private void outdateIfPodsCount() {
        if (resolution.known().isEmpty() || waitsForPods.get()) { // who computes it now may have seen what was before
            resolution.outdate();
        }
    }

    /**
     * Whether this changes nothing for anybody: the status came to say what the groups beside each other amount to. A group
     * that was refused may have been so for what the status said before.
     */
    private boolean isExpected(
            @Nullable CustomResource<DedicatedNodes> before, @Nullable CustomResource<DedicatedNodes> after) {
        return before != null && after != null && before.spec().spec().equals(after.spec().spec())
                && resolution.known()
                        .filter(known -> known.byName().values().stream().allMatch(Resolved::accepted))
                        .flatMap(known -> known.find(after.key().name()))
                        .map(Resolved::established).equals(Optional.of(after.spec().applied()));
    }

    /** Told of each Node, as it was before, that this controller has changed: of that the cache tells nobody. */
    void whenChangedNode(Consumer<Node> listener) {
        changedNode.add(listener);
    }

    /** This controller has changed a Node. */
    void changedNode(Node before) {
        settled.heard(before.key());
        changedNode.forEach(listener -> listener.accept(before));
    }

    ObjectCache<CustomResource<DedicatedNodes>> groups() {
        return groups;
    }

    ObjectCache<Node> nodes() {
        return nodes;
    }

    /** How many Nodes have something that is managed because of groups, be there any or not. */
    int managedNodes() {
        return nodes.count(MANAGED, "");
    }

    ObjectCache<CandidatePod> pods() {
        return pods;
    }

    ObjectCache<LabeledNamespace> namespaces() {
        return namespaces;
    }

    ObjectCache<DaemonTemplate> daemons() {
        return daemons;
    }

    CachedClaims claims() {
        return claims;
    }

    /** Asks the state, which one thread at a time uses; it must not ask for anything else meanwhile. */
    <T> T releases(Function<Releases, T> ask) {
        synchronized (releases) {
            return ask.apply(releases);
        }
    }

    /** Returns what Nodes get: what the status of each group says is in force. */
    Groups enforced() {
        return releases(Releases::enforced);
    }

    /** The groups that a pod may be of: each as it is in force, and as declared if it only counts or waits for its pods. */
    Groups ofNewPods() {
        return ofNewPods.get();
    }

    /** What of namespaces decides who is a member. */
    MemberFacts members() {
        return members.get();
    }

    /** Each group as its spec declares it and, if that is another, as it was last in force. */
    List<Group> declared() {
        return releases(Releases::declared);
    }

    /** Those of them that may declare the pod; a shared group has those that no other has, so it may be any. */
    Stream<Group> declaring(CandidatePod pod) {
        GroupsByNamespace groupsOf = byNamespace.get();
        List<Group> admitting;
        synchronized (groupsOf) { // listeners of several caches ask
            admitting = groupsOf.admitting(pod).toList();
        }
        return Stream.concat(admitting.stream(), declared().stream().filter(group -> group.spec().shared()));
    }

    /** Computes something of the Nodes as the cache holds them; it waits for others who do the same. */
    <T> T settled(Supplier<T> how) {
        return settled.settled(how);
    }

    /** Tells the state what becomes of a group, and computes anew what depends on it if a group differs by that. */
    void decide(Predicate<Releases> change) {
        if (releases(change::test)) {
            outdateGroups();
            resolution.outdate();
        }
    }

    /** What may be in force of what is declared now. */
    Resolution resolution() {
        return settled(resolution::get);
    }

    /** What one of them changes; it costs a look at its Nodes and pods, and at no others. */
    Preview preview(Resolved group) {
        return settled(() -> Preview.of(group, resolution.get().groups(), view, willBeGiven(group)));
    }

    /** Whether its pods get the tolerations that they lack before it comes into force; one that is waits for no pod. */
    private boolean willBeGiven(Resolved group) {
        return features.tolerations() && group.established().filter(group.declared().desired()::equals).isEmpty();
    }

    /** Whether so many evictions are confirmed by this spec of the group as there would be, and it is the newest. */
    boolean confirms(Group group) {
        return resolution().find(group.name())
                .filter(found -> found.declared().desired().equals(group.spec()))
                .filter(found -> preview(found).isConfirmedBy(group.spec())).isPresent();
    }

    /** Whether the Node would evict anybody if it got all taints of the group. */
    boolean evictsAny(Group group, Node node) {
        return NewEvictions.any(group, node, pods.find(CachedCluster.ON_NODE, node.key().name()), view);
    }

    /** It never compares groups, for which an API server would wait. */
    private Groups computeOfNewPods() {
        return new Groups(releases(Releases::all).stream()
                .flatMap(group -> ofNewPods(group).map(spec -> new Group(group.name(), spec))).toList());
    }

    /** What was compared last may be of an older spec, and of an older status: that it waits is over then. */
    private Stream<DedicatedNodesSpec> ofNewPods(DeclaredGroup group) {
        DedicatedNodesSpec desired = group.desired();
        Optional<DedicatedNodesSpec> applied = group.inForce().map(Group::spec);
        if (applied.filter(desired::equals).isPresent()) {
            return applied.stream();
        }
        Optional<DedicatedNodesSpec> declared = desired.enforcement() == EnforcementMode.Audit
                ? Optional.of(desired).filter(only -> applied.isEmpty())
                : resolution.latest().flatMap(compared -> compared.find(group.name()))
                        .filter(compared -> compared.declared().desired().equals(desired))
                        .flatMap(Resolved::ofPods).map(Group::spec);
        return Stream.concat(applied.stream(), declared.stream());
    }

    /** What the pod lacks of what its groups give to pods that exist. */
    PodAdditions missing(CandidatePod pod) {
        return PodAdditions.ofStored(
                pod, nodes.get(ObjectKey.clusterScoped(pod.pod().nodeName())), ofNewPods(), members());
    }

    /** The pods of a group that lack anything. */
    Stream<CandidatePod> lacking(String group) {
        return ofNewPods().all().stream().filter(found -> found.name().equals(group))
                .flatMap(this::members).filter(this::lacks);
    }

    /** The pods that a group declares; of the shared one all, as it has those that no other has. */
    Stream<CandidatePod> members(Group group) {
        return view.pods(group, Set.of()).filter(pod -> group.spec().shared() || group.admits(pod, members()));
    }

    /** Whether the pod lacks the toleration of this group. */
    boolean lacks(CandidatePod pod, Group group) {
        Groups ofPods = ofNewPods();
        return ofPods.of(pod, members()).stream().anyMatch(own -> own.name().equals(group.name()))
                && !PodAdditions.of(pod, List.of(group)).tolerations().isEmpty();
    }

    boolean lacks(CandidatePod pod) {
        return !missing(pod).tolerations().isEmpty();
    }

    /** Whether a group waits until its pods tolerate its taint: each pod may end that. */
    private boolean computeWaitsForPods() {
        return releases(Releases::all).stream()
                .filter(group -> group.desired().enforcement() == EnforcementMode.Enforce
                        && (features.any() || group.desired().shared())
                        && !group.applied().equals(Optional.of(group.desired())))
                .anyMatch(this::mayWait);
    }

    /** Not if it contradicts another: no pod ends that. */
    private boolean mayWait(DeclaredGroup group) {
        return resolution.latest().flatMap(compared -> compared.find(group.name()))
                .filter(compared -> compared.declared().desired().equals(group.desired()))
                .map(compared -> compared.accepted() || compared.awaitsPods()).orElse(true);
    }

    private Resolution computeResolution() {
        List<DeclaredGroup> all = releases(Releases::all);
        view.nodes().retain(all.stream()
                .flatMap(group -> Stream.concat(Stream.of(group.desired()), group.applied().stream()))
                .map(DedicatedNodesSpec::nodes).collect(Collectors.toSet()));
        return Resolution.of(all, view, features);
    }

    private MemberFacts computeMembers() {
        return MemberFacts.of(namespaces.all(), claims, systemNamespaces);
    }
}
