package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Groups by the namespaces of their members: a pod is not compared with all groups. Not safe for use by several threads. */
public final class GroupsByNamespace {
    private final List<Group> groups;
    private final MemberFacts facts;
    private final Map<String, List<Group>> found = new HashMap<>();

    public GroupsByNamespace(Collection<Group> groups, MemberFacts facts) {
        this.groups = List.copyOf(groups);
        this.facts = facts;
    }

    /** Returns the groups that declare the pod, or may do so once its claims and the labels of its namespace are known. */
    public Stream<Group> admitting(CandidatePod pod) {
        return found.computeIfAbsent(pod.key().namespace(), this::find).stream()
                .filter(group -> group.membership(pod, facts).isPossible());
    }

    private List<Group> find(String namespace) {
        return groups.stream().filter(group -> group.mayAdmit(namespace, facts)).toList();
    }
}
