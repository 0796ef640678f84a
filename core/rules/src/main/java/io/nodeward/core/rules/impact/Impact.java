package io.nodeward.core.rules.impact;

import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What changes of taints do to a fleet: to Nodes, to the pods on them, and to those that wait for a Node. Resources,
 * affinity and whatever else decides where a pod goes are not looked at.
 *
 * @param nodes those whose taints change, by name
 * @param pending pods for which some Node becomes schedulable or filtered out, by namespace and name
 */
public record Impact(List<NodeImpact> nodes, List<PendingFit> pending) {
    public Impact {
        nodes = List.copyOf(nodes);
        pending = List.copyOf(pending);
    }

    /** One Node before and after. */
    public record Step(Node before, Node after) {}

    /**
     * Of a whole fleet.
     *
     * @param steps all its Nodes, those that stay as they are too
     * @param pods all its pods; those that have ended do not matter
     */
    public static Impact of(
            Collection<Step> steps, Collection<Pod> pods, List<Budget> budgets, Tolerance tolerance) {
        Map<String, List<Pod>> byNode =
                pods.stream().filter(pod -> !pod.isFinished()).sorted(Comparator.comparing(Pod::key))
                        .collect(Collectors.groupingBy(Pod::nodeName, TreeMap::new, Collectors.toList()));
        List<NodeImpact> nodes = steps.stream()
                .filter(step -> !difference(step).isEmpty())
                .sorted(Comparator.comparing(step -> step.before.key().name()))
                .map(step -> node(step, byNode.getOrDefault(step.before.key().name(), List.of()), budgets, tolerance))
                .toList();
        PendingFits fits = new PendingFits(steps, tolerance);
        List<PendingFit> pending = byNode.getOrDefault("", List.of()).stream()
                .map(fits::of)
                .filter(PendingFit::isChanged)
                .toList();
        return new Impact(nodes, pending);
    }

    public boolean isEmpty() {
        return nodes.isEmpty();
    }

    private static TaintDifference difference(Step step) {
        return TaintDifference.of(step.before.taints(), step.after.taints());
    }

    private static NodeImpact node(Step step, List<Pod> pods, List<Budget> budgets, Tolerance tolerance) {
        List<PodFate> fates = pods.stream()
                .filter(pod -> !pod.isMirror()) // its kubelet keeps it running
                .map(pod -> PodFate.of(pod, step.before.taints(), step.after.taints(), budgets, tolerance))
                .filter(PodFate::isChanged)
                .toList();
        return new NodeImpact(step.before.key().name(), difference(step), fates);
    }
}
