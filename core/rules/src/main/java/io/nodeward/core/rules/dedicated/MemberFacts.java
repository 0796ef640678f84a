package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.LabeledNamespace;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What decides, besides a pod itself, of which groups it is.
 *
 * @param namespaces their labels by their names, as far as these are known
 * @param unlabeled namespaces that exist and whose labels are not known
 * @param systemNamespaces whose pods may tolerate the taints of all groups
 */
public record MemberFacts(Map<String, Map<String, String>> namespaces, Set<String> unlabeled, ClaimView claims,
        Set<String> systemNamespaces) {
    /** Namespaces of the system by default: those that each cluster has. Others a user may create. */
    public static final String SYSTEM_NAMESPACES = "kube-system,kube-node-lease,kube-public";

    public MemberFacts {
        namespaces = Map.copyOf(namespaces);
        unlabeled = Set.copyOf(unlabeled);
        systemNamespaces = Set.copyOf(systemNamespaces);
    }

    /** The labels of these namespaces are known, and no others exist. */
    public MemberFacts(Map<String, Map<String, String>> namespaces, ClaimView claims, Set<String> systemNamespaces) {
        this(namespaces, Set.of(), claims, systemNamespaces);
    }

    /** Makes the facts of these namespaces; no others exist. */
    public static MemberFacts of(
            Collection<LabeledNamespace> namespaces, ClaimView claims, Set<String> systemNamespaces) {
        Map<String, Map<String, String>> known = new HashMap<>();
        Set<String> unknown = new HashSet<>();
        for (LabeledNamespace namespace : namespaces) {
            String name = namespace.key().name();
            namespace.labels().ifPresentOrElse(labels -> known.put(name, labels), () -> unknown.add(name));
        }
        return new MemberFacts(known, unknown, claims, systemNamespaces);
    }

    /** Whether the labels of this namespace are known. */
    public boolean knows(String namespace) {
        return namespaces.containsKey(namespace);
    }

    /** What decides about the pods of this namespace, and of no other: none but its labels are copied. */
    public MemberFacts ofNamespace(String namespace, Map<String, String> labels) {
        return new MemberFacts(Map.of(namespace, labels), claims, systemNamespaces);
    }

    /** Returns the same with other claims. */
    public MemberFacts withClaims(ClaimView others) {
        return new MemberFacts(namespaces, unlabeled, others, systemNamespaces);
    }

    /** Returns the labels of this namespace; empty if they are not known, which is not the same as no labels. */
    Optional<Map<String, String>> labels(String namespace) {
        return Optional.ofNullable(namespaces.get(namespace));
    }
}
