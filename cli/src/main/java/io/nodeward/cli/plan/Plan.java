package io.nodeward.cli.plan;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.validate.ManifestCheck;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.NodeImpact;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.impact.PodFate.Outcome;
import io.nodeward.core.rules.impact.TaintDifference.Changed;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.toleration.Tolerance;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The changes that the controller would make to a fleet.
 *
 * @param nodes how many there are
 * @param impact what the edit does; without an edit, what is declared and not done yet
 * @param pending what the controller does without the edit: the fleet is not as it is declared. Empty without an edit
 * @param podsKnown whether the fleet has pods: without any, nobody can tell what {@code NoExecute} evicts
 * @param evictsAsBudgetsPermit whether some pods go only as their PodDisruptionBudgets permit
 * @param replaced owners whose Machines the edit replaces, with all that runs on them, which is not planned
 * @param warnings what was left out, each once
 */
public record Plan(
        int nodes, Impact impact, Impact pending, boolean podsKnown, boolean evictsAsBudgetsPermit,
        List<String> replaced, List<String> warnings) {
    /**
     * The settings of the controller, which cannot be seen from outside.
     *
     * @param gates those of the controller
     * @param tolerance as the workload cluster has it
     * @param dedicated what of the controller is about dedicated Nodes
     * @param clock tells which Nodes are new
     */
    public record Settings(Gates gates, Tolerance tolerance, Dedicated dedicated, InstantSource clock) {}

    /**
     * The gates for dedicated Nodes.
     *
     * @param nodes whether Nodes become as groups declare them; empty if it is not said
     * @param pods what is done to pods
     */
    public record Dedicated(Optional<Boolean> nodes, PodFeatures pods) {}

    public Plan {
        replaced = List.copyOf(replaced);
        warnings = List.copyOf(warnings);
    }

    /**
     * Plans what the controller does once a fleet is edited.
     *
     * @param snapshot the objects as they are: Nodes, Pods, budgets, and owners of Nodes; edited by this
     * @param where it was found, for an error
     * @param files objects as they are to be, and others; none: what is declared already
     * @param mode how the server stores the objects
     * @throws IllegalArgumentException naming an object that cannot be used, or what is missing
     */
    public static Plan of(Snapshot snapshot, String where, List<Manifest> files, ApplyMode mode, Settings settings) {
        List<Node> before = snapshot.nodes();
        Set<String> warnings = new LinkedHashSet<>();
        ManifestCheck check = new ManifestCheck(Stream.concat(files.stream(), snapshot.definitions().stream()));
        requireValid(files, check, warnings);
        List<Manifest> edited = Edit.relevant(files, warnings).stream().map(file -> mode.applied(
                file, snapshot.find(file.id()), check.schema(file), warnings)).toList();
        check(snapshot, where, edited, before);
        Converged start = files.isEmpty()
                ? new Converged(before, List.of(), false)
                : converged(before, snapshot, List.of(), settings, new LinkedHashSet<>());
        Impact pending = start.from(before, snapshot, settings);
        Edit edit = new Edit(snapshot, settings, warnings);
        edit.apply(edited);
        Converged end = converged(before, snapshot, edited, settings, warnings);
        Impact impact = end.from(start.nodes, snapshot, settings);
        Plan plan = new Plan(before.size(), impact, pending, !end.pods.isEmpty(),
                start.evictsAsBudgetsPermit || end.evictsAsBudgetsPermit, edit.replaced(), List.of());
        if (!plan.evictionsKnown(impact) || !plan.evictionsKnown(pending)) {
            warnings.add("there is no Pod in " + where + ": which pods NoExecute evicts is not known");
        }
        return new Plan(plan.nodes, impact, pending, plan.podsKnown, plan.evictsAsBudgetsPermit, plan.replaced,
                List.copyOf(warnings));
    }

    /**
     * A fleet when the controllers have done all that is declared.
     *
     * @param pods with the tolerations that they get
     */
    private record Converged(List<Node> nodes, List<Pod> pods, boolean evictsAsBudgetsPermit) {
        /** @param before the same Nodes in the same order, as they are when it begins */
        Impact from(List<Node> before, Snapshot snapshot, Settings settings) {
            return Impact.of(
                    IntStream.range(0, nodes.size()).mapToObj(i -> new Impact.Step(before.get(i), nodes.get(i)))
                            .toList(),
                    pods, snapshot.budgets(), settings.tolerance);
        }
    }

    private static Converged converged(
            List<Node> before, Snapshot snapshot, List<Manifest> edited, Settings settings, Set<String> warnings) {
        List<Node> owned = NodeSteps.of(before, snapshot, edited, settings, warnings);
        DedicatedSteps dedicated = DedicatedSteps.of(snapshot, owned, settings.dedicated, warnings);
        return new Converged(owned.stream().map(dedicated::planned).toList(),
                dedicated.pods().orElseGet(snapshot::pods), dedicated.evictsAsBudgetsPermit());
    }

    /** What a server would not store is not planned. */
    private static void requireValid(List<Manifest> files, ManifestCheck check, Set<String> warnings) {
        files.stream().flatMap(file -> check.findings(file).stream()).forEach(finding -> {
            if (finding.error()) {
                throw new IllegalArgumentException(finding.text());
            }
            warnings.add(finding.text());
        });
    }

    private static boolean mayEvict(NodeImpact node) {
        return Stream.concat(node.taints().added().stream(), node.taints().changed().stream().map(Changed::after))
                .anyMatch(taint -> taint.effect().equals("NoExecute"));
    }

    private static void check(Snapshot snapshot, String where, List<Manifest> edited, List<Node> nodes) {
        if (nodes.isEmpty()) {
            throw new IllegalArgumentException("there is no Node in " + where);
        }
        if (snapshot.named().size() > 1) {
            throw new IllegalArgumentException("there are several Clusters of this name: " + snapshot.named().stream()
                    .map(ObjectKey::toString).collect(Collectors.joining(", "))
                    + "; name the one whose Nodes these are with --cluster NAMESPACE/NAME");
        }
        boolean needed = snapshot.namesCluster() || edited.stream().allMatch(Plan::isOwner)
                && (!edited.isEmpty() || snapshot.groups().isEmpty());
        if (needed && snapshot.machines().isEmpty() && snapshot.pools().isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no Machine or MachinePool of " + snapshot.whose() + " in " + where
                            + ": what is declared for its Nodes is not known");
        }
    }

    private static boolean isOwner(Manifest edited) {
        return edited.id().group().equals(ClusterApi.GROUP);
    }

    /** Returns whether the edit does nothing at all. */
    public boolean isEmpty() {
        return impact.isEmpty() && replaced.isEmpty();
    }

    /** Returns whether pods are known, or this part brings no taint that evicts them. */
    public boolean evictionsKnown(Impact part) {
        return podsKnown || part.nodes().stream().noneMatch(Plan::mayEvict);
    }

    /** Returns how many pods are deleted because of this part, at once or later. */
    public static long evicted(Impact part) {
        return fates(part).filter(PodFate::isEvicted).count();
    }

    /** Returns how many pods were to be deleted, and stay because of this part. */
    static long spared(Impact part) {
        return fates(part).filter(fate -> fate.outcome() == Outcome.NO_LONGER).count();
    }

    private static Stream<PodFate> fates(Impact part) {
        return part.nodes().stream().flatMap(node -> node.pods().stream());
    }
}
