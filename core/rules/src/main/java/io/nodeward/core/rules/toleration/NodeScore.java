package io.nodeward.core.rules.toleration;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * How much the scheduler's plugin TaintToleration likes a Node for a pod, among the Nodes that were compared.
 *
 * @param intolerable taints with effect PreferNoSchedule that the pod does not tolerate
 * @param score 100 for none of them, 0 for the most that any Node has
 */
public record NodeScore(String node, int intolerable, int score) {
    private static final int BEST = 100;
    private static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";
    private static final Comparator<NodeScore> BEST_FIRST =
            Comparator.comparingInt(NodeScore::score).reversed().thenComparing(NodeScore::node);

    /**
     * All of them, the best first; equally good ones by name.
     *
     * @param nodes taints by the Node's name
     */
    public static List<NodeScore> rank(
            Map<String, List<Taint>> nodes, List<Toleration> tolerations, Tolerance tolerance) {
        List<NodeScore> counted = new ArrayList<>();
        nodes.forEach((node, taints) -> counted.add(
                new NodeScore(node, intolerable(taints, tolerations, tolerance), BEST)));
        int most = counted.stream().mapToInt(NodeScore::intolerable).max().orElse(0);
        return counted.stream()
                .map(node -> most == 0 ? node : node.amongMost(most))
                .sorted(BEST_FIRST)
                .toList();
    }

    /** How many taints of a Node speak against it. */
    public static int intolerable(List<Taint> taints, List<Toleration> tolerations, Tolerance tolerance) {
        return (int) taints.stream()
                .filter(taint -> taint.effect().equals(PREFER_NO_SCHEDULE))
                .filter(taint -> tolerance.first(tolerations, taint).isEmpty())
                .count();
    }

    private NodeScore amongMost(int most) {
        return new NodeScore(node, intolerable, BEST - (int) ((long) BEST * intolerable / most));
    }
}
