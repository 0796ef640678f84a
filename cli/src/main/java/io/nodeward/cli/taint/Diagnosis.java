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

/** Why Nodes that were waited for do not have what is declared, as far as that can be seen from outside. */
final class Diagnosis {
    private static final int MOST = 3;

    private final LiveCluster management;
    private final ObjectKey cluster;

    Diagnosis(LiveCluster management, String cluster) {
        this.management = management;
        this.cluster = new ObjectKey(management.namespace(), cluster);
    }

    /**
     * Lines about it, which may be none.
     *
     * @param owner as it was seen last
     * @param adds whether taints were to come, not only to go
     */
    List<String> of(ObjectNode owner, Descendants descendants, Status status, boolean adds) {
        Set<String> seen = new LinkedHashSet<>();
        Stream.concat(Stream.concat(cluster().stream(), Stream.of(Descendant.of(owner))), held(descendants, status))
                .map(Descendant::obstacle).filter(obstacle -> !obstacle.isEmpty()).distinct().limit(MOST)
                .forEach(seen::add);
        Optional<String> waiting = status.waiting().stream().findFirst().map(node -> node.key().name());
        if (seen.isEmpty() && adds) {
            status.waiting().stream().filter(Diagnosis::isUntouched).findFirst().ifPresent(node -> seen.add(
                    "Node " + node.key().name() + " has no annotation " + ClusterApi.TAINTS_FROM_MACHINE
                            + ": no controller carries taints to it; is its gate MachineTaintPropagation on?"));
        }
        waiting.ifPresent(
                node -> seen.add("'nodeward explain node/" + node + " --cluster " + cluster + "' says more."));
        return List.copyOf(seen);
    }

    /** Those that have to do with a Node that is waited for. */
    private static Stream<Descendant> held(Descendants descendants, Status status) {
        Set<String> waiting = status.waiting().stream().map(node -> node.key().name()).collect(Collectors.toSet());
        Set<Descendant> machines = Set.copyOf(descendants.machines());
        Set<Descendant> without = Set.copyOf(status.without());
        return descendants.all().filter(descendant -> !machines.contains(descendant)
                || without.contains(descendant) || descendant.nodes().stream().anyMatch(waiting::contains));
    }

    private static boolean isUntouched(Node node) {
        return !node.metadata().annotations().containsKey(ClusterApi.TAINTS_FROM_MACHINE);
    }

    /** It may be that nobody let the user see it. */
    private Optional<Descendant> cluster() {
        try {
            return management.find(management.clusterApi("clusters"), cluster).map(Descendant::above);
        } catch (LiveFailure failure) {
            if (failure.isForbidden()) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
