package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which Nodes the groups select, and what the groups amount to beside each other. {@link #apply} folds in what there is of an object
 * now, which costs little. What is expensive is done when a caller asks for it and it may differ. Keys may come again, late, and in any
 * order. One thread at a time uses this.
 */
public final class DedicatedState implements ClusterView {
    private final View view;
    private final Supplier<Declared> declared;
    private final PodFeatures features;
    private final NodeSets nodes = new NodeSets();
    /** What was declared when a caller asked last. */
    private Optional<Declared> asked = Optional.empty();
    /** The groups as they were compared last. */
    private Optional<Resolution> compared = Optional.empty();
    /** Whether Nodes or pods have changed since so that the groups may amount to something else. */
    private boolean isOutdated;
    /** Whether each pod may change what the groups amount to. */
    private boolean awaitsPods;
    private final Set<DedicatedKey> changed = new HashSet<>();

    /**
     * The objects as they are at this moment, and pods by what makes them count for a group. None of these may block.
     *
     * @param tolerating those that tolerate a taint with this key; by no key those that tolerate every taint, or may, which count for
     *     every group, so that it leaves out some if they are many
     */
    public record View(
            Function<ObjectKey, Optional<CustomResource<DedicatedNodes>>> group,
            Function<ObjectKey, Optional<Node>> node,
            Supplier<Stream<DaemonTemplate>> daemons,
            Function<ObjectKey, Optional<DaemonTemplate>> daemon,
            Supplier<Stream<CandidatePod>> pods,
            Function<String, Stream<CandidatePod>> onNode,
            Function<String, Stream<CandidatePod>> ofNamespace,
            Function<String, Stream<CandidatePod>> tolerating) {}

    /**
     * Creates a state that has folded in no object.
     *
     * @param declared what is declared at this moment; it must not block
     * @param features what is done to pods
     */
    public DedicatedState(View view, Supplier<Declared> declared, PodFeatures features) {
        this.view = view;
        this.declared = declared;
        this.features = features;
    }

    /** Folds in what there is of an object now; what is declared, this asks for with each question. */
    public void apply(DedicatedKey key) {
        switch (key.kind()) {
            case NODE -> node(key.object());
            case NAMESPACES_AND_DAEMONS -> concern(group -> true);
            case CLAIMS -> concern(group -> group.spec().shared() || !group.spec().who().deviceClasses().isEmpty());
            case GROUP, PODS -> {}
        }
        isOutdated |= awaitsPods && key.kind() != Kind.GROUP;
    }

    /** Has groups decided on anew; before the first question, none has been. */
    private void concern(Predicate<Group> which) {
        if (asked.isPresent()) {
            declared.get().versions().stream().filter(which)
                    .forEach(group -> changed.add(DedicatedKey.of(Kind.GROUP, group.name())));
        }
    }

    /** Returns the groups of which something may differ, but for what pods and groups may have changed, since this was called last. */
    public Set<DedicatedKey> changed() {
        Set<DedicatedKey> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }

    private void node(ObjectKey key) {
        Optional<Node> now = view.node().apply(key);
        List<Node> both = Stream.of(nodes.find(key.name()), now).flatMap(Optional::stream).toList();
        concern(group -> group.spec().shared() || both.stream().anyMatch(group::selects));
        boolean wasOutdated = isOutdated;
        isOutdated = true; // before anything can fail
        boolean moves = now.map(nodes::put).orElseGet(() -> nodes.remove(key.name()));
        isOutdated = wasOutdated || moves || compared.filter(Resolution::isReleasing).isPresent();
    }

    /** Returns what may be in force of what is declared now. */
    public Resolution resolution() {
        Declared now = declared.get();
        if (isOutdated || asked.filter(last -> last == now).isEmpty()) {
            compare(now);
        }
        return compared.orElseThrow();
    }

    private void compare(Declared now) {
        Optional<Resolution> same = compared.filter(last -> !isOutdated && now.members().equals(members()))
                .flatMap(last -> last.recorded(now.all()));
        asked = Optional.of(now);
        isOutdated = true; // until all of this is done
        nodes.retain(now.all().stream()
                .flatMap(group -> Stream.concat(Stream.of(group.desired()), group.applied().stream()))
                .map(DedicatedNodesSpec::nodes).collect(Collectors.toSet()));
        Resolution resolution = same.orElseGet(() -> Resolution.of(now.all(), this, features));
        compared = Optional.of(resolution);
        awaitsPods = resolution.awaitsPods(features);
        isOutdated = false;
    }

    /** Returns what a group changes; it costs a look at its Nodes and pods, and at no others. */
    public Preview preview(Resolved group) {
        return Preview.of(group, resolution().groups(), this, willBeGiven(group));
    }

    /** Returns whether its pods get the tolerations that they lack before it comes into force; one that is waits for no pod. */
    private boolean willBeGiven(Resolved group) {
        return features.tolerations() && group.established().filter(group.declared().desired()::equals).isEmpty();
    }

    /** Returns whether this spec of the group confirms so many evictions as there would be, and is the newest. */
    public boolean confirms(Group group) {
        return resolution().find(group.name())
                .filter(found -> found.declared().desired().equals(group.spec()))
                .filter(found -> preview(found).isConfirmedBy(group.spec())).isPresent();
    }

    /** Returns how many Nodes and groups are kept. */
    public int size() {
        return nodes.size() + compared.map(all -> all.byName().size()).orElse(0);
    }

    @Override
    public NodeSets nodes() {
        return nodes;
    }

    @Override
    public MemberFacts members() {
        return asked.orElseThrow().members();
    }

    @Override
    public Stream<DaemonTemplate> daemons() {
        return view.daemons().get();
    }

    @Override
    public Optional<DaemonTemplate> daemon(ObjectKey key) {
        return view.daemon().apply(key);
    }

    @Override
    public Stream<CandidatePod> pods(Group group, Set<String> names) {
        if (group.isOfAllNamespaces()) {
            return view.pods().get();
        }
        Set<ObjectKey> seen = new HashSet<>();
        return Stream.of(
                group.namespaces(members()).flatMap(view.ofNamespace()), names.stream().flatMap(view.onNode()),
                view.tolerating().apply(group.spec().taint().key()), view.tolerating().apply(""))
                .flatMap(found -> found).filter(pod -> seen.add(pod.key()));
    }
}
