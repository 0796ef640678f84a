package io.nodeward.cli.explain;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.node.Node;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.dedicated.DeclaredGroup;
import io.nodeward.core.rules.dedicated.PodGroup;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads what the groups of dedicated Nodes are to a pod. */
final class PodGroups {
    private PodGroups() {}

    static List<PodGroup> of(Snapshot snapshot, Manifest pod, Collection<Node> nodes) {
        List<CustomResource<DedicatedNodes>> groups = snapshot.groups();
        Map<String, String> conflicts = new HashMap<>();
        groups.forEach(group -> group.conditions().stream().filter(condition -> isConflict(condition, group))
                .forEach(condition -> conflicts.putIfAbsent(group.key().name(), condition.message())));
        return groups.isEmpty()
                ? List.of()
                : PodGroup.of(Snapshot.read(pod, CandidatePod.PROJECTION),
                        groups.stream().map(DeclaredGroup::of).toList(), conflicts, snapshot.members(), nodes);
    }

    /** Returns whether the controller reports with it why this spec, and no older one, is not in force. */
    private static boolean isConflict(Condition condition, CustomResource<DedicatedNodes> group) {
        return condition.type().equals(DedicatedNodes.CONFLICT) && condition.status().equals(Condition.TRUE)
                && condition.observedGeneration() == group.generation();
    }
}
