package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.dedicated.ClusterView;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cluster as the caches hold it. Pods are found by what makes them count for a group. */
final class CachedCluster implements ClusterView {
    static final Index<CandidatePod> ON_NODE = Index.of("Node", pod -> pod.pod().nodeName());
    static final Index<CandidatePod> OF_NAMESPACE = Index.of("namespace", pod -> pod.key().namespace());
    static final Index<CandidatePod> OF_CLAIM = new Index<>("claim",
            pod -> pod.claims().stream().map(claim -> claim.key().toString()).distinct().toList());
    /** Taints of the cluster itself, which nearly each pod tolerates: no group has one. */
    private static final String OF_KUBERNETES = "node.kubernetes.io/";

    /** How many of the pods that tolerate every taint, or may, a preview looks at: they count for every group. */
    private static final int MOST = 1000;

    private final NodeSets nodes = new NodeSets();
    private final ObjectCache<CandidatePod> pods;
    private final ObjectCache<DaemonTemplate> daemons;
    private final Index<CandidatePod> tolerating;
    private final Computed<List<CandidatePod>> tolerant;
    private final Supplier<MemberFacts> members;

    CachedCluster(
            ObjectCache<CandidatePod> pods, ObjectCache<DaemonTemplate> daemons, Set<String> systemNamespaces,
            Supplier<MemberFacts> members) {
        this.pods = pods;
        this.daemons = daemons;
        this.tolerating = tolerating(systemNamespaces);
        this.tolerant = new Computed<>(() -> pods.find(tolerating, "").stream().limit(MOST).toList());
        this.members = members;
    }

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

    /** A pod has changed. */
    void changed(@Nullable CandidatePod before, @Nullable CandidatePod after) {
        if (MapFunction.both(before, after).anyMatch(pod -> tolerating.values().apply(pod).contains(""))) {
            tolerant.outdate();
        }
    }

    @Override
    public NodeSets nodes() {
        return nodes;
    }

    @Override
    public MemberFacts members() {
        return members.get();
    }

    @Override
    public Stream<DaemonTemplate> daemons() {
        return daemons.all().stream();
    }

    @Override
    public Optional<DaemonTemplate> daemon(ObjectKey key) {
        return daemons.get(key);
    }

    @Override
    public Stream<CandidatePod> pods(Group group, Set<String> names) {
        if (group.isOfAllNamespaces()) {
            return pods.all().stream();
        }
        Set<ObjectKey> seen = new HashSet<>();
        return Stream.of(
                group.namespaces(members()).flatMap(namespace -> pods.find(OF_NAMESPACE, namespace).stream()),
                names.stream().flatMap(node -> pods.find(ON_NODE, node).stream()),
                pods.find(tolerating, group.spec().taint().key()).stream(),
                tolerant.get().stream())
                .flatMap(found -> found).filter(pod -> seen.add(pod.key()));
    }
}
