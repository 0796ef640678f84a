package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Makes the previews of all groups from one look at each Node and each pod. */
final class Survey {
    private final Groups inForce;
    private final ClusterFacts facts;
    private final NodeSets nodes;
    private final List<PreviewDraft> drafts;

    /** @param wanted groups that are looked at as if they were enforced beside those in force */
    Survey(Groups inForce, List<Group> wanted, NodeSets nodes, ClusterFacts facts, boolean tolerationsGiven) {
        this.inForce = new Groups(inForce.all().stream().filter(Group::isEnforced).toList());
        this.facts = facts;
        this.nodes = nodes;
        this.drafts = wanted.stream()
                .map(each -> new PreviewDraft(each, facts.members(), tolerationsGiven))
                .toList();
    }

    static Survey of(Resolution resolution, ClusterFacts facts, boolean tolerationsGiven) {
        return new Survey(resolution.groups(), resolution.byName().values().stream().map(Survey::enforced).toList(),
                new NodeSets(facts.nodes()), facts, tolerationsGiven);
    }

    /** All that is declared, as if it were enforced. */
    private static Group enforced(Resolved resolved) {
        return resolved.inForce().filter(group -> resolved.accepted()).orElseGet(() -> new Group(
                resolved.declared().name(), resolved.declared().desired().withEnforcement(EnforcementMode.Enforce)));
    }

    SortedMap<String, Preview> previews() {
        List<List<Group>> byNode = byNode();
        for (PreviewDraft draft : drafts) {
            if (draft.group().fault().isEmpty()) {
                nodes.of(draft.group(), inForce).stream().forEach(
                        i -> draft.node(nodes.node(i), others(byNode.get(i), draft.group())));
            }
        }
        facts.pods().stream().filter(pod -> !pod.isFinished() && !pod.pod().isMirror()).forEach(this::pod);
        SortedMap<String, Preview> previews = new TreeMap<>();
        drafts.forEach(draft -> previews.put(draft.group().name(), draft.preview()));
        return previews;
    }

    /** The groups that declare each Node and are enforced. */
    private List<List<Group>> byNode() {
        List<List<Group>> byNode = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            byNode.add(new ArrayList<>(1));
        }
        for (Group group : inForce.all()) {
            nodes.selectedBy(group).stream().forEach(i -> byNode.get(i).add(group));
        }
        return byNode;
    }

    private static List<Group> others(List<Group> groups, Group without) {
        return groups.stream().filter(group -> !group.name().equals(without.name())).toList();
    }

    private void pod(CandidatePod pod) {
        for (PreviewDraft draft : drafts) {
            Group group = draft.group();
            draft.pod(pod, group.spec().shared() ? isLeft(pod, group) : group.admits(pod, facts.members()));
        }
    }

    private boolean isLeft(CandidatePod pod, Group shared) {
        return inForce.all().stream()
                .noneMatch(other -> !other.name().equals(shared.name()) && other.admits(pod, facts.members()));
    }
}
