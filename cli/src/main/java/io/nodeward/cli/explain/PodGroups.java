package io.nodeward.cli.explain;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.cli.snapshot.DedicatedGroups;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.PodGroup;
import java.util.Collection;
import java.util.List;

/** Reads what the groups of dedicated Nodes are to a pod. */
final class PodGroups {
    private PodGroups() {}

    static List<PodGroup> of(Snapshot snapshot, Manifest pod, Collection<Node> nodes) {
        List<DeclaredGroup> groups = DedicatedGroups.of(snapshot);
        return groups.isEmpty()
                ? List.of()
                : PodGroup.of(Snapshot.read(pod, CandidatePod.PROJECTION), groups, DedicatedGroups.conflicts(snapshot),
                        DedicatedGroups.facts(snapshot), nodes);
    }
}
