package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Why Nodes that were waited for do not bear what is declared, as far as that can be seen from outside. */
final class Hindrances {
    private static final int MOST = 3;

    private final LiveCluster management;
    private final ObjectKey cluster;

    Hindrances(LiveCluster management, String cluster) {
        this.management = management;
        this.cluster = new ObjectKey(management.namespace(), cluster);
    }

    /**
     * Lines about it, which may be none.
     *
     * @param owner as it was seen last
     * @param adds whether taints were to come, not only to go
     */
    List<String> of(ObjectNode owner, Members members, Standing standing, boolean adds) {
        Set<String> seen = new LinkedHashSet<>();
        Stream.concat(Stream.concat(cluster().stream(), Stream.of(Member.of(owner))), held(members, standing))
                .map(Member::hindrance).filter(hindrance -> !hindrance.isEmpty()).distinct().limit(MOST)
                .forEach(seen::add);
        Optional<String> waiting = standing.waiting().stream().findFirst().map(node -> node.key().name());
        if (seen.isEmpty() && adds) {
            standing.waiting().stream().filter(Hindrances::isUntouched).findFirst().ifPresent(node -> seen.add(
                    "Node " + node.key().name() + " has no annotation " + ClusterApi.TAINTS_FROM_MACHINE
                            + ": no controller carries taints to it; is its gate MachineTaintPropagation on?"));
        }
        waiting.ifPresent(
                node -> seen.add("'nodeward explain node/" + node + " --cluster " + cluster + "' says more."));
        return List.copyOf(seen);
    }

    /** Those that have to do with a Node that is waited for. */
    private static Stream<Member> held(Members members, Standing standing) {
        Set<String> waiting = standing.waiting().stream().map(node -> node.key().name()).collect(Collectors.toSet());
        Set<Member> machines = Set.copyOf(members.machines());
        Set<Member> without = Set.copyOf(standing.without());
        return members.all().filter(member -> !machines.contains(member)
                || without.contains(member) || member.nodes().stream().anyMatch(waiting::contains));
    }

    private static boolean isUntouched(Node node) {
        return !node.metadata().annotations().containsKey(ClusterApi.TAINTS_FROM_MACHINE);
    }

    /** It may be that nobody let the user see it. */
    private Optional<Member> cluster() {
        try {
            return management.find(management.clusterApi("clusters"), cluster).map(Member::above);
        } catch (LiveFailure failure) {
            if (failure.isForbidden()) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
