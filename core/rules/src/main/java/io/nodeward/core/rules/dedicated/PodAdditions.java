package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a pod gets because of its groups.
 *
 * @param tolerations that it lacks
 * @param affinity what each term of its required node affinity has to ask for, by key: groups with one key let it run on the
 *     Nodes of any of them, groups with different keys on Nodes that are of all
 */
public record PodAdditions(List<Toleration> tolerations, List<Requirement> affinity) {
    static final PodAdditions NONE = new PodAdditions(List.of(), List.of());

    public PodAdditions {
        tolerations = List.copyOf(tolerations);
        affinity = List.copyOf(affinity);
    }

    /**
     * Decides. Nobody knows what a truncated pod lacks, so it gets nothing: it would get the same again and again.
     *
     * @param groups those that the pod is to tolerate; affinity comes from those of them that are exclusive
     */
    public static PodAdditions of(CandidatePod pod, List<Group> groups) {
        if (pod.isTruncated()) {
            return NONE;
        }
        List<Toleration> all = new ArrayList<>(pod.pod().tolerations());
        for (Group group : groups) {
            if (!group.isFullyToleratedBy(all)) {
                all.add(group.toleration());
            }
        }
        return new PodAdditions(all.subList(pod.pod().tolerations().size(), all.size()), affinity(groups));
    }

    /**
     * What a pod that exists lacks: it can only be given tolerations. A pod that has ended, and one that a kubelet runs by itself,
     * needs none.
     *
     * @param node that it runs on; empty if that is not known
     * @param declared all groups, each as it concerns pods
     */
    public static PodAdditions ofStored(
            CandidatePod pod, Optional<Node> node, Groups declared, MemberFacts facts) {
        return NewEvictions.counts(pod, node)
                ? of(pod, declared.of(pod, facts).stream().filter(Group::acts).toList()).withoutAffinity()
                : NONE;
    }

    PodAdditions withoutAffinity() {
        return new PodAdditions(tolerations, List.of());
    }

    private static List<Requirement> affinity(List<Group> groups) {
        Map<String, TreeSet<String>> values = new TreeMap<>();
        for (Group group : groups) {
            if (group.isEnforced() && group.spec().exclusive()) {
                values.computeIfAbsent(group.labelKey(), key -> new TreeSet<>()).add(group.spec().taint().value());
            }
        }
        return values.entrySet().stream()
                .map(entry -> new Requirement(entry.getKey(), Operator.IN, List.copyOf(entry.getValue())))
                .toList();
    }
}
