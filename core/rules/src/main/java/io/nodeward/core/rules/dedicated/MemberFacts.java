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
    /** Namespaces of the system by default: those that each cluster has. Others a user may create. */
    public static final String SYSTEM_NAMESPACES = "kube-system,kube-node-lease,kube-public";

    public MemberFacts {
        namespaces = Map.copyOf(namespaces);
        systemNamespaces = Set.copyOf(systemNamespaces);
    }

    public boolean knows(String namespace) {
        return namespaces.containsKey(namespace);
    }

    /** What decides about the pods of this namespace, and of no other: none but its labels are copied. */
    public MemberFacts ofNamespace(String namespace, Map<String, String> labels) {
        return new MemberFacts(Map.of(namespace, labels), claims, systemNamespaces);
    }

    /** Returns the same with other claims. */
    MemberFacts withClaims(ClaimView others) {
        return new MemberFacts(namespaces, others, systemNamespaces);
    }

    Map<String, String> labels(String namespace) {
        return namespaces.getOrDefault(namespace, Map.of());
    }
}
