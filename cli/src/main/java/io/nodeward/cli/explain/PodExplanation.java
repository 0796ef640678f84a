package io.nodeward.cli.explain;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.origin.NodeScopes;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.PodGroup;
import io.nodeward.core.rules.origin.Missing;
import io.nodeward.core.rules.origin.NodeOrigins;
import io.nodeward.core.rules.origin.NodeScope;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.origin.TaintOrigin;
import io.nodeward.core.rules.placement.Demand;
import io.nodeward.core.rules.placement.Placement;
import io.nodeward.core.rules.placement.Threat;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Why a pod is not schedulable on Nodes, and what makes it leave the one it is on.
 *
 * @param on the Node it is on; empty if it has none, or that is not known
 * @param groups of dedicated Nodes: its own, and those that have Nodes that were asked about
 * @param threats what evicts it there
 * @param nodes all that were asked about, those that it is schedulable on first
 */
public record PodExplanation(Pod pod, Optional<String> on, List<PodGroup> groups, List<Threat> threats,
        List<Answer> nodes, List<String> warnings) {
    public PodExplanation {
        groups = List.copyOf(groups);
        threats = List.copyOf(threats);
        nodes = List.copyOf(nodes);
        warnings = List.copyOf(warnings);
    }

    /**
     * Of one Node.
     *
     * @param origin of the taint that filters the Node out, if one does
     */
    public record Answer(String node, Optional<Placement> filteredOut, Optional<TaintOrigin> origin) {}

    /**
     * What is asked.
     *
     * @param on the only Node that is of interest; empty for all
     */
    public record Question(ObjectKey pod, String on, Gates gates, Tolerance tolerance) {}

    /** @throws NoSuchObjectException if the fleet does not have the pod, or the Node */
    public static PodExplanation of(Snapshot snapshot, Question question) throws NoSuchObjectException {
        Manifest manifest = snapshot.find(new Manifest.Id("", "Pod", question.pod))
                .orElseThrow(() -> new NoSuchObjectException("there is no pod " + question.pod
                        + "; is it in another namespace (-n)?"));
        Set<String> warnings = new LinkedHashSet<>();
        NodeScopes scopes = new NodeScopes(snapshot, question.gates, warnings);
        Pod pod = Snapshot.read(manifest, Projection.POD);
        Tree spec = Trees.read(manifest.json().path("spec").toString());
        Demand.fault(spec).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        Demand demand = Demand.of(spec, pod.phase().isEmpty() ? pod.nodeName() : ""); // else as if it were scheduled anew
        List<Manifest> asked = question.on.isEmpty()
                ? snapshot.all("", "Node")
                : List.of(NodeExplanation.node(snapshot, question.on));
        List<PodGroup> groups =
                PodGroups.of(snapshot, manifest,
                        asked.stream().map(node -> Snapshot.read(node, Projection.NODE)).toList());
        List<Answer> answers = new ArrayList<>();
        for (Manifest node : asked) {
            answers.add(answer(scopes.of(node), demand, question.tolerance));
        }
        warnings.addAll(snapshot.gaps());
        answers.sort(Comparator.comparing((Answer answer) -> answer.filteredOut.isPresent())
                .thenComparing(Answer::node));
        return new PodExplanation(pod, Optional.of(pod.nodeName()).filter(name -> !name.isEmpty()), groups,
                threats(snapshot, pod, scopes, question), answers, List.copyOf(warnings));
    }

    private static Answer answer(NodeScope scope, Demand demand, Tolerance tolerance) {
        Node node = scope.node();
        Optional<Placement> filteredOut = Placement.first(demand, node, scope.unschedulable(), tolerance);
        Optional<TaintOrigin> origin = filteredOut.flatMap(Placement::taint)
                .flatMap(taint -> NodeOrigins.of(scope).taints().stream()
                        .filter(known -> known.taint().equals(taint)).findFirst());
        return new Answer(node.key().name(), filteredOut, origin);
    }

    private static List<Threat> threats(Snapshot snapshot, Pod pod, NodeScopes scopes, Question question) {
        Optional<Manifest> node = snapshot.find(
                new Manifest.Id("", "Node", ObjectKey.clusterScoped(pod.nodeName())));
        if (pod.nodeName().isEmpty() || node.isEmpty() || pod.isMirror()) {
            return List.of();
        }
        NodeScope scope = scopes.of(node.get());
        List<Taint> coming = NodeOrigins.of(scope).missing().stream()
                // What is due further up may not come as far as the Node.
                .filter(missing -> missing.reason() == Missing.Reason.DUE && missing.below().isEmpty())
                .map(missing -> missing.declared().taint())
                .map(taint -> Taint.of(taint.key(), taint.value(), taint.effect()))
                .toList();
        return Threat.of(scope.node().taints(), coming, pod.tolerations(), question.tolerance);
    }

    long schedulable() {
        return nodes.stream().filter(answer -> answer.filteredOut.isEmpty()).count();
    }
}
