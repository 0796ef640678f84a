package io.nodeward.core.rules.dedicated;

import java.util.Map;
import java.util.Set;

/**
 * What decides, besides a pod itself, of which groups it is.
 *
 * @param namespaces their labels by their names
 * @param systemNamespaces whose pods may tolerate the taints of all groups
 */
public record MemberFacts(Map<String, Map<String, String>> namespaces, ClaimView claims,
        Set<String> systemNamespaces) {
    public MemberFacts {
        namespaces = Map.copyOf(namespaces);
        systemNamespaces = Set.copyOf(systemNamespaces);
    }

    Map<String, String> labels(String namespace) {
        return namespaces.getOrDefault(namespace, Map.of());
    }
}
