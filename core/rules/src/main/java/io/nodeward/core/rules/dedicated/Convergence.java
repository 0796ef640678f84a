package io.nodeward.core.rules.dedicated;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where groups and their pods come to if the controller alone changes anything: it records in each status what is established,
 * and gives pods their tolerations. Both may let a further group come into force.
 *
 * @param declared what the controller takes for declared then
 * @param resolution the last one
 * @param cluster with the tolerations that pods have then
 */
public record Convergence(Declared declared, Resolution resolution, ListedCluster cluster) {
    /**
     * Decides about the groups until nothing changes, as the controller does by one reconciliation after the other. It ends:
     * what is established as declared stays so, and a pod gets a toleration once.
     *
     * @param features what is done to pods
     */
    public static Convergence of(
            Collection<DeclaredGroup> declared, ListedCluster cluster, PodFeatures features) {
        Convergence now = once(declared, cluster, features);
        while (true) {
            ListedCluster after =
                    features.tolerations() ? now.cluster.tolerating(now.declared.ofStoredPods()) : now.cluster;
            List<DeclaredGroup> recorded = now.all().map(Convergence::recorded).toList();
            if (recorded.equals(now.all().map(Resolved::declared).toList()) && after.equals(now.cluster)) {
                return now;
            }
            now = once(recorded, after, features);
        }
    }

    private static Convergence once(Collection<DeclaredGroup> groups, ListedCluster cluster, PodFeatures features) {
        Resolution resolution = Resolution.of(groups, cluster, features);
        return new Convergence(Declared.of(List.copyOf(groups), Optional.of(resolution), cluster.members()),
                resolution, cluster);
    }

    private Stream<Resolved> all() {
        return resolution.byName().values().stream();
    }

    /** A release ends by itself: Nodes that are given up lose their taint. */
    private static DeclaredGroup recorded(Resolved group) {
        return new DeclaredGroup(group.declared().name(), group.declared().desired(),
                group.isReleasing() ? group.next().map(Group::spec) : group.established(),
                group.declared().refusesDaemonSets());
    }
}
