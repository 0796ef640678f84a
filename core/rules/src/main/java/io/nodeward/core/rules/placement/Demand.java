package io.nodeward.core.rules.placement;

import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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
    public Demand {
        tolerations = List.copyOf(tolerations);
        selector = Map.copyOf(selector);
        terms = terms.map(List::copyOf);
        gates = List.copyOf(gates);
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
