package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.meta.ObjectKey;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The cluster as it is known now. */
public interface ClusterView {
    NodeSets nodes();

    MemberFacts members();

    Stream<DaemonTemplate> daemons();

    Optional<DaemonTemplate> daemon(ObjectKey key);

    /**
     * The pods that count for a group, each once: those that may be its members, that tolerate its taint, or that run on its
     * Nodes. More than these change nothing but the time that it takes.
     *
     * @param nodes names of its Nodes
     */
    Stream<CandidatePod> pods(Group group, Set<String> nodes);
}
