package io.nodeward.cli.plan;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.explain.BudgetWords;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.Conflict;
import io.nodeward.core.rules.dedicated.Convergence;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.Groups;
import io.nodeward.core.rules.dedicated.ListedCluster;
import io.nodeward.core.rules.dedicated.NewEvictions;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.rules.dedicated.Placed;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.rules.dedicated.Stranger;
import io.nodeward.core.rules.impact.Budget;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Nodes and pods of a fleet as the controller changes them because of DedicatedNodes. */
final class DedicatedSteps {
    static final String GATE = "the controller's gate DedicatedNodes";
    static final String NOT_SAID = "DedicatedNodes change Nodes only with " + GATE
            + " on, which it is not by default: say with --feature-gates what it is";

    /** What may be missing besides pods and Nodes. */
    private static final List<String> READ = List.of(
            "dedicatednodes", "namespaces", "daemonsets", "resourceclaims", "resourceclaimtemplates");

    private final Plan.Dedicated settings;
    private final List<Budget> budgets;
    private final Set<String> warnings;
    private final List<DeclaredGroup> declared;
    private final Convergence end;
    private final ListedCluster cluster;
    private final Groups groups;
    private final Map<String, List<CandidatePod>> byNode;
    private final Set<String> confirmed = new HashSet<>();
    private boolean evictsAsBudgetsPermit;

    private DedicatedSteps(List<DeclaredGroup> declared, ListedCluster stored, List<Budget> budgets,
            Plan.Dedicated settings, Set<String> warnings) {
        this.settings = settings;
        this.budgets = budgets;
        this.warnings = warnings;
        this.declared = declared;
        this.end = Convergence.of(declared, stored, settings.pods());
        this.cluster = end.cluster();
        this.byNode = cluster.all().stream().collect(Collectors.groupingBy(pod -> pod.pod().nodeName()));
        this.groups = end.resolution().groups();
        end.resolution().byName().values().forEach(this::warn);
    }

    /**
     * Plans what is declared, with all edits. Without any group there is nothing to do: they may just not be known.
     *
     * @param nodes as their owners make them
     * @param warnings takes what is left out, why a group is not in force, and what is not confirmed
     */
    static DedicatedSteps of(
            Snapshot snapshot, List<Node> nodes, Plan.Dedicated settings, Set<String> warnings) {
        List<DeclaredGroup> declared = snapshot.groups().stream().map(DeclaredGroup::of).toList();
        boolean off = settings.nodes().equals(Optional.of(false));
        READ.forEach(kind -> snapshot.gap(kind).ifPresent(warnings::add));
        if (off && !declared.isEmpty()) {
            warnings.add("DedicatedNodes are not planned: " + GATE + " is off");
        }
        if (off || declared.isEmpty()) {
            return new DedicatedSteps(
                    List.of(), new ListedCluster(new NodeSets(), List.of(), snapshot.members()), List.of(), settings,
                    warnings);
        }
        ListedCluster stored = snapshot.listedCluster(nodes);
        warnOfNamespaces(stored, declared, warnings);
        warnOfDaemonSets(stored, declared, warnings);
        return new DedicatedSteps(declared, stored, snapshot.budgets(), settings, warnings);
    }

    private static void warnOfNamespaces(
            ListedCluster cluster, List<DeclaredGroup> declared, Set<String> warnings) {
        boolean labels = declared.stream().anyMatch(group -> group.desired().who().namespaceSelector().isPresent());
        String unknown = cluster.all().stream().map(pod -> pod.key().namespace()).distinct()
                .filter(namespace -> !cluster.members().knows(namespace)).sorted().findFirst().orElse("");
        if (labels && !unknown.isEmpty()) {
            warnings.add("Namespace " + unknown + " is not known here: of namespaces that are not, no pod counts as a"
                    + " member of DedicatedNodes by their labels");
        }
    }

    private static void warnOfDaemonSets(
            ListedCluster cluster, List<DeclaredGroup> declared, Set<String> warnings) {
        boolean matter = declared.stream().map(DeclaredGroup::desired)
                .anyMatch(spec -> spec.enforcement() == EnforcementMode.Enforce);
        cluster.unlistedDaemonSets().filter(key -> matter).min(Comparator.naturalOrder())
                .ifPresent(key -> warnings.add("DaemonSet " + key + " is not known here: the templates of DaemonSets"
                        + " that are not do not count for DedicatedNodes"));
    }

    private void warn(Resolved group) {
        String about = "DedicatedNodes " + group.declared().name() + ": ";
        group.conflicts().stream().map(Conflict::message).forEach(message -> warnings.add(about + message));
        Optional<Group> enforced = group.inForce().filter(Group::isEnforced);
        enforced.ifPresent(in -> warnOfClaims(in, about));
        if (enforced.filter(in -> in.spec().equals(group.declared().desired())).isEmpty()) {
            return; // what is in force of an older spec is not what would be confirmed
        }
        Preview preview = Preview.of(group, groups, cluster, settings.pods().tolerations());
        int evicted = preview.evicted().count();
        String pods = Words.counted(evicted, "pod") + (evicted == 1 ? " is" : " are");
        boolean respectsBudgets = group.declared().desired().eviction().respectsBudgets();
        boolean evicts = !respectsBudgets || settings.pods().evictions();
        if (preview.isConfirmedBy(group.declared().desired()) && (evicted == 0 || evicts)) {
            confirmed.add(group.declared().name());
            if (evicted > 0 && respectsBudgets) {
                evictsAsBudgetsPermit = true;
                warnings.add(
                        about + pods + " evicted as PodDisruptionBudgets permit, and Nodes get NoExecute after that");
            }
        } else {
            warnings.add(about + "Nodes where NoExecute would evict pods get NoSchedule in its place, until"
                    + (evicts ? " spec.confirmedPods is " + evicted
                            : " " + pods + " gone: spec.eviction is Respect"));
        }
        Set<ObjectKey> requested = preview.strangers(Stranger.End.REQUEST).stream().map(Stranger::pod)
                .collect(Collectors.toSet());
        BudgetWords.of(cluster.all().stream().map(CandidatePod::pod).filter(pod -> requested.contains(pod.key()))
                .toList(), budgets).forEach(held -> warnings.add(about + "evictions would wait for " + held));
    }

    private void warnOfClaims(Group group, String about) {
        long pods = cluster.all().stream()
                .filter(pod -> !pod.isFinished() && group.membership(pod, cluster.members()).byClaims())
                .count();
        if (pods > 0) {
            warnings.add(about + "claims of devices of " + Words.counted(pods, "pod")
                    + " are not known here: no such pod counts as a member");
        }
    }

    /** Returns whether some pods go only as their PodDisruptionBudgets permit. */
    boolean evictsAsBudgetsPermit() {
        return evictsAsBudgetsPermit;
    }

    /** Returns all pods, with the tolerations that they get; empty if no group is planned, which changes none. */
    Optional<List<Pod>> pods() {
        return declared.isEmpty()
                ? Optional.empty()
                : Optional.of(cluster.all().stream().map(CandidatePod::pod).toList());
    }

    /** Returns the Node as groups make it. */
    Node planned(Node node) {
        if (declared.isEmpty()) {
            return node;
        }
        List<CandidatePod> here = byNode.getOrDefault(node.key().name(), List.of());
        Stream<Placed> placed = groups.of(node).stream().map(group -> new Placed(
                group, confirmed.contains(group.name()) || !NewEvictions.any(group, node, here, cluster::daemon)));
        DedicatedNodePlan plan = DedicatedNodePlan.of(
                node, Stream.concat(placed, end.declared().kept(node).stream().map(Placed::kept)).toList());
        plan.conflicts().forEach(conflict -> warnings.add("DedicatedNodes " + conflict.group() + ": Node "
                + node.key() + ": " + conflict.message()));
        if (plan.change().taints().isPresent() && settings.nodes().isEmpty()) {
            warnings.add(NOT_SAID);
        }
        return plan.change().applyTo(node, "");
    }
}
