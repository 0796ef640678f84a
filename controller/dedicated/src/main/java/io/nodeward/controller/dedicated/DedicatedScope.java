package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.rules.dedicated.ClusterFacts;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of the cluster, from caches alone. What is computed of all groups together is kept until it may differ. */
final class DedicatedScope {
    /** Nodes with something that is managed because of groups; for the cache of Nodes. */
    static final Index<Node> MANAGED = new Index<>("managed by DedicatedNodes",
            node -> Stream.of(DedicatedAnnotations.TAINTS, DedicatedAnnotations.LABELS)
                    .anyMatch(node.metadata().annotations()::containsKey) ? List.of("") : List.of());

    private final ObjectCache<CustomResource<DedicatedNodes>> groups;
    private final ObjectCache<Node> nodes;
    private final ObjectCache<CandidatePod> pods;
    private final ObjectCache<PartialObject> namespaces;
    private final Set<String> systemNamespaces;
    private final List<Consumer<Node>> changedNode = new CopyOnWriteArrayList<>();
    private final Computed<Groups> enforced = new Computed<>(this::computeEnforced);
    private final Computed<List<Group>> declared = new Computed<>(this::computeDeclared);
    private final Computed<MemberFacts> members = new Computed<>(this::computeMembers);
    private final Computed<Survey> survey = new Computed<>(this::computeSurvey);

    /**
     * All groups beside each other, and what each would change.
     *
     * @param previews by the name of the group
     */
    record Survey(Resolution resolution, Map<String, Preview> previews) {
        /** Whether so many evictions are confirmed by this spec of the group as there would be, and it is the newest. */
        boolean confirms(Group group) {
            Preview preview = previews.get(group.name());
            return preview != null && preview.isConfirmedBy(group.spec())
                    && resolution.find(group.name())
                            .filter(found -> found.declared().desired().equals(group.spec())).isPresent();
        }
    }

    /**
     * Hears of each change before any controller does, which may ask for what it has computed.
     *
     * @param systemNamespaces whose DaemonSets run on the Nodes of all groups
     * @throws IllegalStateException if somebody listens to one of these caches already
     */
    DedicatedScope(
            ObjectCache<CustomResource<DedicatedNodes>> groups,
            ObjectCache<Node> nodes,
            ObjectCache<CandidatePod> pods,
            ObjectCache<PartialObject> namespaces,
            Set<String> systemNamespaces) {
        this.groups = groups;
        this.nodes = nodes;
        this.pods = pods;
        this.namespaces = namespaces;
        this.systemNamespaces = Set.copyOf(systemNamespaces);
        groups.subscribeFirst((before, after) -> {
            if (!MapFunction.declared(before, after).isEmpty()) {
                Stream.of(enforced, declared).forEach(Computed::outdate);
                if (!isExpected(before, after)) {
                    survey.outdate();
                }
            }
        });
        outdates(nodes, survey);
        outdates(pods, survey);
        outdates(namespaces, members, survey);
    }

    private static void outdates(ObjectCache<? extends KubernetesObject> cache, Computed<?>... values) {
        cache.subscribeFirst((before, after) -> List.of(values).forEach(Computed::outdate));
    }

    /**
     * Whether this changes nothing for anybody: the status came to say what the groups beside each other amount to. A group
     * that was refused may have been so for what the status said before.
     */
    boolean isExpected(
            @Nullable CustomResource<DedicatedNodes> before, @Nullable CustomResource<DedicatedNodes> after) {
        return before != null && after != null && before.spec().spec().equals(after.spec().spec())
                && survey.last().map(Survey::resolution)
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
        survey.outdate();
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

    ObjectCache<PartialObject> namespaces() {
        return namespaces;
    }

    Optional<CustomResource<DedicatedNodes>> group(ObjectKey key) {
        return groups.get(key);
    }

    /** What Nodes get: what the status of each group says is in force. */
    Groups enforced() {
        return enforced.get();
    }

    /** Each group as its spec declares it and, if that is another, as it was last in force. */
    List<Group> declared() {
        return declared.get();
    }

    /** What may be in force of what is declared now, and what that changes. */
    Survey survey() {
        return survey.get();
    }

    MemberFacts members() {
        return members.get();
    }

    /** The spec that Nodes get, if they get one. */
    static Optional<DedicatedNodesSpec> applied(CustomResource<DedicatedNodes> group) {
        return group.spec().applied().filter(spec -> spec.enforcement() == EnforcementMode.Enforce);
    }

    private Groups computeEnforced() {
        return new Groups(groups.all().stream()
                .flatMap(group -> applied(group).map(spec -> new Group(group.key().name(), spec)).stream()).toList());
    }

    private List<Group> computeDeclared() {
        return groups.all().stream().flatMap(group -> Stream
                .concat(Stream.of(group.spec().spec()), group.spec().applied().stream()).distinct()
                .map(spec -> new Group(group.key().name(), spec))).toList();
    }

    /** Pods are judged by the tolerations that they have: nobody gives them more. */
    private Survey computeSurvey() {
        ClusterFacts facts = new ClusterFacts(List.copyOf(nodes.all()), List.copyOf(pods.all()), members());
        Resolution resolution = Resolution.of(groups.all().stream().map(DeclaredGroup::of).toList(), facts);
        return new Survey(resolution, Preview.all(resolution, facts, false));
    }

    /** Claims are not watched: who is a member by a DeviceClass alone is counted as not known. */
    private MemberFacts computeMembers() {
        Map<String, Map<String, String>> labels = namespaces.all().stream()
                .collect(Collectors.toMap(namespace -> namespace.key().name(), n -> n.metadata().labels()));
        return new MemberFacts(labels, ClaimView.NONE, systemNamespaces);
    }
}
