package io.nodeward.core.rules.placement;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a pod asks of a Node.
 *
 * @param nodeName the only Node it may be on; empty if it may be on any
 * @param selector labels that the Node must have
 * @param terms of its required node affinity, of which one must match; empty if it has none
 * @param gates names of its scheduling gates
 */
public record Demand(
        List<Toleration> tolerations,
        String nodeName,
        Map<String, String> selector,
        Optional<List<NodeTerm>> terms,
        List<String> gates) {
    private static final List<String> TERMS = List.of("affinity", "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms");

    public Demand {
        tolerations = List.copyOf(tolerations);
        selector = Map.copyOf(selector);
        terms = terms.map(List::copyOf);
        gates = List.copyOf(gates);
    }

    /**
     * Of a pod's spec, or that of a template.
     *
     * @param nodeName see above: a pod that was scheduled has one and asks for none
     */
    public static Demand of(Tree spec, String nodeName) {
        Map<String, String> selector = new TreeMap<>();
        if (spec.at("nodeSelector") instanceof Tree.Fields(Map<String, Tree> labels)) {
            labels.forEach((key, value) -> selector.put(key, value.string()));
        }
        return new Demand(spec.at("tolerations").elements().stream().map(Toleration::of).toList(), nodeName, selector,
                spec.at(TERMS) instanceof Tree.Items(List<Tree> terms)
                        ? Optional.of(terms.stream().map(NodeTerm::of).toList())
                        : Optional.empty(),
                spec.at("schedulingGates").elements().stream().map(gate -> gate.at("name").string()).toList());
    }

    /** What of the spec is not known here; empty if all of it is. */
    public static Optional<String> fault(Tree spec) {
        return spec.at(TERMS).elements().stream()
                .flatMap(term -> Stream.of("matchExpressions", "matchFields").map(term::at))
                .flatMap(expressions -> expressions.elements().stream())
                .filter(expression -> NodeTerm.operator(expression).isEmpty()).findFirst()
                .map(expression -> "spec.affinity.nodeAffinity: unknown operator \""
                        + expression.at("operator").string() + '"');
    }

    /** The Nodes that its affinity restricts it to by their names; empty if any term leaves that open. */
    Optional<Set<String>> names() {
        Set<String> names = new TreeSet<>();
        for (NodeTerm term : terms.orElse(List.of())) {
            Optional<Set<String>> these = term.names();
            if (these.isEmpty()) {
                return Optional.empty();
            }
            names.addAll(these.get());
        }
        return terms.isEmpty() || terms.get().isEmpty() ? Optional.empty() : Optional.of(names);
    }
}
