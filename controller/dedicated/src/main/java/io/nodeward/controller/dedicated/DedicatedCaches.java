package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.DedicatedState;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NewEvictions;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The objects that decide what groups declare, and whom that concerns. Pods are found by what makes them count for a group.
 *
 * @param systemNamespaces whose pods may tolerate the taints of all groups
 */
record DedicatedCaches(
        ObjectCache<CustomResource<DedicatedNodes>> groups,
        ObjectCache<Node> nodes,
        ObjectCache<CandidatePod> pods,
        ObjectCache<LabeledNamespace> namespaces,
        CachedClaims claims,
        ObjectCache<DaemonTemplate> daemons,
        Set<String> systemNamespaces) {
    /** Nodes with something that is managed because of groups. */
    static final Index<Node> MANAGED = new Index<>("managed by DedicatedNodes",
            node -> node.metadata().labels().containsKey(DedicatedAnnotations.DIGEST)
                    || Stream.of(DedicatedAnnotations.TAINTS, DedicatedAnnotations.LABELS)
                            .anyMatch(node.metadata().annotations()::containsKey) ? List.of("") : List.of());
    static final Index<CandidatePod> ON_NODE = Index.of("Node", pod -> pod.pod().nodeName());
    static final Index<CandidatePod> OF_NAMESPACE = Index.of("namespace", pod -> pod.key().namespace());
    static final Index<CandidatePod> OF_CLAIM = new Index<>("claim",
            pod -> pod.claims().stream().map(claim -> claim.key().toString()).distinct().toList());
    /** How many of the pods that tolerate every taint, or may, count: each costs all groups. */
    private static final int MOST = 1000;
    /** Taints of the cluster itself, which nearly each pod tolerates: no group has one. */
    private static final String OF_KUBERNETES = "node.kubernetes.io/";

    /**
     * Returns the index by the key of a taint, and by none if any is tolerated, or may be by a truncated pod; without pods of the
     * system, which may tolerate all.
     */
    static Index<CandidatePod> tolerating(Set<String> systemNamespaces) {
        return new Index<>("tolerated taint", pod -> keys(pod)
                .filter(key -> !key.startsWith(OF_KUBERNETES) && !systemNamespaces.contains(pod.key().namespace()))
                .distinct().toList());
    }

    private static Stream<String> keys(CandidatePod pod) {
        return pod.isTruncated() ? Stream.of("") : pod.pod().tolerations().stream().map(Toleration::key);
    }

    /** Returns the objects as they are at each moment. */
    DedicatedState.View view() {
        Index<CandidatePod> tolerating = tolerating(systemNamespaces);
        return new DedicatedState.View(groups::get, nodes::get, () -> daemons.all().stream(), daemons::get,
                () -> pods.all().stream(), node -> pods.find(ON_NODE, node).stream(), this::ofNamespace,
                key -> pods.find(tolerating, key, key.isEmpty() ? MOST : Integer.MAX_VALUE).stream());
    }

    Stream<CandidatePod> ofNamespace(String namespace) {
        return pods.find(OF_NAMESPACE, namespace).stream();
    }

    /** Returns what the namespaces and claims say at this moment about who is a member. */
    MemberFacts members() {
        return MemberFacts.of(namespaces.all(), claims, systemNamespaces);
    }

    /** Returns what of a DaemonSet decides where its pods run. */
    static List<Object> template(DaemonTemplate daemon) {
        return List.of(daemon.pod(), daemon.spec());
    }

    /** Returns whether the Node would evict anybody if it got all taints of the group. */
    boolean evictsAny(Group group, Node node) {
        return NewEvictions.any(group, node, pods.find(ON_NODE, node.key().name()), daemons::get);
    }

    /** Returns whether any pod has to be gone before the taints of the group, which respects budgets, may end the others. */
    boolean evictsAnyBefore(Group group, Node node) {
        return NewEvictions.anyBefore(group, node, pods.find(ON_NODE, node.key().name()), daemons::get);
    }

    /**
     * Returns whether a request may evict the pod, so that the Node can get what it would get of the group.
     *
     * @param all the groups of the Node
     * @param given tolerations that the pod gets
     */
    boolean evictsByRequest(Group group, Node node, List<Group> all, CandidatePod pod, List<Toleration> given) {
        return NewEvictions.byRequest(group, node, all, pod, given, daemons::get);
    }

    /** Returns whether this is what the DedicatedNodes declares now, and what is in force of it. */
    boolean declares(Group group) {
        return groups.get(ObjectKey.clusterScoped(group.name())).filter(found -> !found.metadata().deleting()
                && found.spec().equals(new DedicatedNodes(group.spec(), Optional.of(group.spec())))).isPresent();
    }

    /** Returns how many Nodes have something that is managed because of groups, be there any or not. */
    int managedNodes() {
        return nodes.count(MANAGED, "");
    }

    /** Returns the caches without which groups cannot be compared. */
    List<ObjectCache<?>> needed() {
        return List.of(groups, nodes, pods, namespaces, daemons);
    }
}
