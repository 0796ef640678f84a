package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A cluster of which Nodes and pods are listed, and no DaemonSets.
 *
 * @param all pods, which it offers to each group
 */
public record ListedCluster(NodeSets nodes, List<CandidatePod> all, MemberFacts members) implements ClusterView {
    public ListedCluster {
        all = List.copyOf(all);
    }

    @Override
    public Stream<DaemonTemplate> daemons() {
        return Stream.empty();
    }

    @Override
    public Stream<CandidatePod> pods(Group group, Set<String> names) {
        return all.stream();
    }

    /** The same, once pods have the tolerations that these groups give to pods that exist. */
    ListedCluster tolerating(Groups groups) {
        return new ListedCluster(nodes, all.stream().map(pod -> {
            PodAdditions missing = PodAdditions.ofStored(pod, nodes.find(pod.pod().nodeName()), groups, members);
            return missing.tolerations().isEmpty() ? pod : pod.tolerating(missing.tolerations());
        }).toList(), members);
    }
}
