package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster of which Nodes, pods and DaemonSets are listed.
 *
 * @param all pods, which it offers to each group
 */
public record ListedCluster(
        NodeSets nodes, List<CandidatePod> all, MemberFacts members, Map<ObjectKey, DaemonTemplate> daemonSets)
        implements ClusterView {
    public ListedCluster {
        all = List.copyOf(all);
        daemonSets = Map.copyOf(daemonSets);
    }

    /** One without DaemonSets. */
    public ListedCluster(NodeSets nodes, List<CandidatePod> all, MemberFacts members) {
        this(nodes, all, members, Map.of());
    }

    @Override
    public Stream<DaemonTemplate> daemons() {
        return daemonSets.values().stream();
    }

    @Override
    public Optional<DaemonTemplate> daemon(ObjectKey key) {
        return Optional.ofNullable(daemonSets.get(key));
    }

    @Override
    public Stream<CandidatePod> pods(Group group, Set<String> names) {
        return all.stream();
    }

    /** DaemonSets that have pods, and are not listed. */
    public Stream<ObjectKey> unlistedDaemonSets() {
        return all.stream().filter(pod -> !pod.isFinished())
                .flatMap(pod -> NewEvictions.daemonSet(pod)
                        .map(owner -> new ObjectKey(pod.key().namespace(), owner.name())).stream())
                .filter(key -> !daemonSets.containsKey(key)).distinct();
    }

    /** The same, once pods have the tolerations that these groups give to pods that exist. */
    ListedCluster tolerating(Groups groups) {
        return new ListedCluster(nodes, all.stream().map(pod -> {
            PodAdditions missing = PodAdditions.ofStored(pod, nodes.find(pod.pod().nodeName()), groups, members);
            return missing.tolerations().isEmpty() ? pod : pod.tolerating(missing.tolerations());
        }).toList(), members, daemonSets);
    }
}
