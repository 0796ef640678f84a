package io.nodeward.core.rules.placement;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Why a Node is filtered out for a pod.
 *
 * @param filter the first one that does
 * @param detail what of the pod or the Node; empty if the filter's words say all
 * @param taint that is not tolerated, if that is why
 */
public record Placement(Filter filter, String detail, Optional<Taint> taint) {
    private static final Taint CORDON = Taint.of("node.kubernetes.io/unschedulable", "", "NoSchedule");

    /** The first reason; empty if there is none among those that are looked at. */
    public static Optional<Placement> first(Demand demand, Node node, boolean unschedulable, Tolerance tolerance) {
        if (!demand.gates().isEmpty()) {
            return because(Filter.SCHEDULING_GATES, String.join(", ", demand.gates()));
        }
        if (demand.names().filter(names -> !names.contains(node.key().name())).isPresent()) {
            return because(Filter.NODE_AFFINITY_NAME, String.join(", ", demand.names().get()));
        }
        if (unschedulable && tolerance.first(demand.tolerations(), CORDON).isEmpty()) {
            return because(Filter.NODE_UNSCHEDULABLE, "");
        }
        if (!demand.nodeName().isEmpty() && !demand.nodeName().equals(node.key().name())) {
            return because(Filter.NODE_NAME, demand.nodeName());
        }
        return NodeFit.of(node.taints(), demand.tolerations(), tolerance).scheduling()
                .map(taint -> new Placement(Filter.TAINT_TOLERATION, NodeFit.text(taint), Optional.of(taint)))
                .or(() -> affinity(demand, node));
    }

    private static Optional<Placement> affinity(Demand demand, Node node) {
        Map<String, String> labels = node.metadata().labels();
        for (Map.Entry<String, String> wanted : new TreeMap<>(demand.selector()).entrySet()) {
            String found = labels.get(wanted.getKey());
            if (!wanted.getValue().equals(found)) {
                return because(Filter.NODE_AFFINITY, "nodeSelector wants " + wanted.getKey() + "=" + wanted.getValue()
                        + ", the Node has " + (found == null ? "no such label" : wanted.getKey() + "=" + found));
            }
        }
        List<NodeTerm> terms = demand.terms().orElse(List.of());
        return demand.terms().isEmpty() || terms.stream().anyMatch(term -> term.matches(node))
                ? Optional.empty()
                : because(Filter.NODE_AFFINITY, "none of " + terms.size() + " nodeSelectorTerms matches");
    }

    private static Optional<Placement> because(Filter filter, String detail) {
        return Optional.of(new Placement(filter, detail, Optional.empty()));
    }

    /** One sentence. */
    public String text() {
        return detail.isEmpty() ? filter.words() : filter.words() + ": " + detail;
    }
}
