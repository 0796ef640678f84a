package io.nodeward.cli.plan;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.snapshot.DedicatedGroups;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.rules.dedicated.Conflict;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NewEvictions;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.rules.dedicated.Placed;
import io.nodeward.core.rules.dedicated.PodAdditions;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.rules.dedicated.Resolved;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What groups of dedicated Nodes make of a fleet: by the rules by which their status says so before. */
final class DedicatedSteps {
    static final String GATE = "the controller's gate DedicatedNodes";
    static final String NOT_SAID = "DedicatedNodes change Nodes only with " + GATE
            + " on, which it is not by default: say with --feature-gates what it is";

    private final Plan.Dedicated settings;
    private final Set<String> warnings;
    private final List<DeclaredGroup> declared;
    private final Facts facts;
    private final Groups groups;
    private final Map<String, List<CandidatePod>> byNode;
    private final Set<String> confirmed = new HashSet<>();

    /** The fleet, with the tolerations that pods get first. */
    private record Facts(NodeSets nodes, List<CandidatePod> all, MemberFacts members) implements ClusterView {
        @Override
        public Stream<DaemonTemplate> daemons() {
            return Stream.empty();
        }

        @Override
        public Stream<CandidatePod> pods(Group group, Set<String> names) {
            return all.stream();
        }
    }

    private DedicatedSteps(
            List<DeclaredGroup> declared, Facts facts, Plan.Dedicated settings, Set<String> warnings) {
        this.settings = settings;
        this.warnings = warnings;
        this.declared = declared;
        this.facts = facts;
        this.byNode = facts.all.stream().collect(Collectors.groupingBy(pod -> pod.pod().nodeName()));
        Resolution resolution = Resolution.of(declared, facts, settings.givesTolerations());
        this.groups = resolution.groups();
        resolution.byName().values().forEach(this::tell);
    }

    /**
     * Of what is declared, with all edits. Without any group there is nothing to do: they may just not be known.
     *
     * @param warnings takes what is left out, why a group is not in force, and what is not confirmed
     */
    static DedicatedSteps of(Snapshot snapshot, Plan.Dedicated settings, Set<String> warnings) {
        List<DeclaredGroup> declared = DedicatedGroups.of(snapshot);
        boolean off = settings.nodes().equals(Optional.of(false));
        DedicatedGroups.gaps(snapshot).forEach(warnings::add);
        if (off && !declared.isEmpty()) {
            warnings.add("DedicatedNodes are not planned: " + GATE + " is off");
        }
        if (off || declared.isEmpty()) {
            return new DedicatedSteps(List.of(),
                    new Facts(new NodeSets(), List.of(), DedicatedGroups.facts(snapshot)), settings, warnings);
        }
        List<Node> nodes = snapshot.nodes();
        Facts stored = new Facts(new NodeSets(nodes),
                snapshot.all("", "Pod").stream().map(pod -> Snapshot.read(pod, CandidatePod.PROJECTION)).toList(),
                DedicatedGroups.facts(snapshot));
        tellUnknown(stored, declared, warnings);
        return new DedicatedSteps(
                declared, settings.givesTolerations() ? given(declared, stored, nodes) : stored, settings, warnings);
    }

    private static void tellUnknown(Facts facts, List<DeclaredGroup> declared, Set<String> warnings) {
        boolean labels = declared.stream().anyMatch(group -> group.desired().who().namespaceSelector().isPresent());
        String unknown = facts.all.stream().map(pod -> pod.key().namespace()).distinct()
                .filter(namespace -> !facts.members.knows(namespace)).sorted().findFirst().orElse("");
        if (labels && !unknown.isEmpty()) {
            warnings.add("Namespace " + unknown + " is not known here: of namespaces that are not, no pod counts as a"
                    + " member of DedicatedNodes by their labels");
        }
    }

    /** Pods get their tolerations before any Node gets a taint. */
    private static Facts given(List<DeclaredGroup> declared, Facts stored, List<Node> nodes) {
        Groups ofPods = new Groups(Resolution.of(declared, stored, true).byName().values().stream()
                .flatMap(group -> Stream.of(group.inForce(), group.ofPods()).flatMap(Optional::stream)).toList());
        Map<ObjectKey, Node> byKey = nodes.stream().collect(Collectors.toMap(Node::key, Function.identity()));
        return new Facts(stored.nodes, stored.all.stream().map(pod -> pod.tolerating(PodAdditions.ofStored(pod,
                Optional.ofNullable(byKey.get(ObjectKey.clusterScoped(pod.pod().nodeName()))), ofPods, stored.members)
                .tolerations())).toList(), stored.members);
    }

    private void tell(Resolved group) {
        String about = "DedicatedNodes " + group.declared().name() + ": ";
        group.conflicts().stream().map(Conflict::message).forEach(message -> warnings.add(about + message));
        if (group.inForce().filter(in -> in.isEnforced() && in.spec().equals(group.declared().desired())).isEmpty()) {
            return; // what is in force of an older spec is not what would be confirmed
        }
        Preview preview = Preview.of(group, groups, facts, settings.givesTolerations());
        if (preview.isConfirmedBy(group.declared().desired())) {
            confirmed.add(group.declared().name());
        } else {
            warnings.add(about + "Nodes where NoExecute would evict pods get NoSchedule in its place, until"
                    + " spec.confirmedPods is " + preview.evicted().count());
        }
    }

    /** All pods, with the tolerations that they get; empty if no group is planned, which changes none. */
    Optional<List<Pod>> pods() {
        return declared.isEmpty()
                ? Optional.empty()
                : Optional.of(facts.all.stream().map(CandidatePod::pod).toList());
    }

    /** As groups make it of this one. */
    Node planned(Node node) {
        if (declared.isEmpty()) {
            return node;
        }
        List<CandidatePod> here = byNode.getOrDefault(node.key().name(), List.of());
        DedicatedNodePlan plan = DedicatedNodePlan.of(node, groups.of(node).stream()
                .map(group -> new Placed(
                        group, confirmed.contains(group.name()) || !NewEvictions.any(group, node, here, facts)))
                .toList());
        plan.conflicts().forEach(conflict -> warnings.add("DedicatedNodes " + conflict.group() + ": Node "
                + node.key() + ": " + conflict.message()));
        if (plan.change().taints().isPresent() && settings.nodes().isEmpty()) {
            warnings.add(NOT_SAID);
        }
        return plan.change().applyTo(node, "");
    }
}
