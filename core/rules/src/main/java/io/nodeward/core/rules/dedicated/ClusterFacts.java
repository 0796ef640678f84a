package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import java.util.List;

/** The cluster as it is known now. */
public record ClusterFacts(List<Node> nodes, List<CandidatePod> pods, MemberFacts members) {
    public ClusterFacts {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
    }
}
