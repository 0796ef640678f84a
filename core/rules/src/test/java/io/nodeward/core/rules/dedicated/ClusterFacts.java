package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A cluster that offers all of its pods, whatever group is asked for. */
record ClusterFacts(NodeSets nodes, List<CandidatePod> pods, MemberFacts members, List<DaemonTemplate> daemonSets)
        implements ClusterView {
    ClusterFacts(NodeSets nodes, List<CandidatePod> pods, MemberFacts members) {
        this(nodes, pods, members, List.of());
    }

    ClusterFacts(List<Node> nodes, List<CandidatePod> pods, MemberFacts members) {
        this(new NodeSets(nodes), pods, members);
    }

    /** @param key of a DaemonSet that asks for no Node and whose template tolerates this */
    ClusterFacts withDaemonSet(String key, String uid, Toleration... tolerations) {
        CandidatePod template = Make.pod(key, "", tolerations);
        Metadata of = template.metadata();
        return new ClusterFacts(nodes, pods, members, List.of(new DaemonTemplate(
                new Metadata(of.key(), uid, of.resourceVersion(), of.labels(), of.annotations(), List.of(), false),
                template, Tree.ABSENT)));
    }

    @Override
    public Stream<DaemonTemplate> daemons() {
        return daemonSets.stream();
    }

    @Override
    public Stream<CandidatePod> pods(Group group, Set<String> names) {
        return pods.stream();
    }
}
