package io.nodeward.core.rules.dedicated;

import java.util.HashMap;
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

    public boolean knows(String namespace) {
        return namespaces.containsKey(namespace);
    }

    /** The same, with one more namespace. */
    public MemberFacts with(String namespace, Map<String, String> labels) {
        Map<String, Map<String, String>> more = new HashMap<>(namespaces);
        more.put(namespace, labels);
        return new MemberFacts(more, claims, systemNamespaces);
    }

    /** The same, with other claims. */
    public MemberFacts with(ClaimView other) {
        return new MemberFacts(namespaces, other, systemNamespaces);
    }

    Map<String, String> labels(String namespace) {
        return namespaces.getOrDefault(namespace, Map.of());
    }
}
