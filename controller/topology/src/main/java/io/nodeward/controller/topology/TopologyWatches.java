package io.nodeward.controller.topology;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.runtime.controller.MapFunction;
import jakarta.inject.Inject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which objects a change concerns: the object itself, and those it declares taints for if it declares others. */
final class TopologyWatches {
    private final TopologyPolicy policy;
    private final TopologyCaches caches;

    @Inject
    TopologyWatches(TopologyPolicy policy, TopologyCaches caches) {
        this.policy = policy;
        this.caches = caches;
    }

    Set<TopologyTask> mapCluster(@Nullable Cluster before, @Nullable Cluster after) {
        Set<TopologyTask> tasks = new LinkedHashSet<>();
        if (MapFunction.differs(before, after, TopologyWatches::pauses)) {
            ObjectKey cluster = MapFunction.latest(before, after).key();
            addCluster(cluster, tasks);
            for (TopologyKind kind : List.of(TopologyKind.MACHINE_SET, TopologyKind.MACHINE)) {
                caches.ofCluster(kind, cluster).forEach(holder -> tasks.add(propagate(kind, holder)));
            }
        }
        addGone(TopologyKind.CLUSTER, before, after, tasks);
        return tasks;
    }

    Set<TopologyTask> mapTopology(@Nullable ClusterTopology before, @Nullable ClusterTopology after) {
        Set<TopologyTask> tasks = new LinkedHashSet<>();
        addCluster(MapFunction.latest(before, after).key(), tasks);
        return tasks;
    }

    Set<TopologyTask> mapClass(@Nullable ClusterClass before, @Nullable ClusterClass after) {
        Set<TopologyTask> tasks = new LinkedHashSet<>();
        caches.ofClass(MapFunction.latest(before, after).key()).forEach(topology -> addCluster(topology.key(), tasks));
        return tasks;
    }

    Set<TopologyTask> mapHolder(TopologyKind kind, @Nullable TaintHolder before, @Nullable TaintHolder after) {
        Set<TopologyTask> tasks = new LinkedHashSet<>();
        TaintHolder holder = MapFunction.latest(before, after);
        tasks.add(propagate(kind, holder));
        if (MapFunction.differs(before, after, TopologyWatches::declaration)) {
            below(kind).forEach(lower -> caches.ownedBy(lower, holder)
                    .forEach(owned -> tasks.add(propagate(lower, owned))));
        }
        addGone(kind, before, after, tasks);
        return tasks;
    }

    /** @param controlPlane empty if the kind itself has changed */
    Set<TopologyTask> mapControlPlane(String group, String kind, Optional<TaintHolder> controlPlane) {
        return policy.propagatesTo(TopologyKind.CONTROL_PLANE)
                ? controlPlanesOf(controlPlane.map(found -> caches.withControlPlane(group, kind, found.key()))
                        .orElseGet(() -> caches.withControlPlanes(group, kind)).stream())
                : Set.of();
    }

    /** The control planes of all topologies. */
    Set<TopologyTask> mapRights() {
        return controlPlanesOf(caches.topologies().all().stream());
    }

    /** A new object, if a former run has reported on it. */
    Set<TopologyTask> mapReported(TopologyKind kind, KubernetesObject object, List<Condition> conditions) {
        return conditions.stream().anyMatch(condition -> condition.type().equals(TopologyReconciler.CONDITION))
                ? Set.of(TopologyTask.report(new SourceObject(kind, object.key())))
                : Set.of();
    }

    private static void addGone(
            TopologyKind kind,
            @Nullable KubernetesObject before,
            @Nullable KubernetesObject after,
            Set<TopologyTask> tasks) {
        if (before != null && after == null) {
            tasks.add(TopologyTask.report(new SourceObject(kind, before.key())));
        }
    }

    /** All that a Cluster declares taints for. */
    private void addCluster(ObjectKey cluster, Set<TopologyTask> tasks) {
        tasks.add(TopologyTask.propagate(TopologyKind.CONTROL_PLANE, cluster));
        for (TopologyKind kind : List.of(TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL)) {
            caches.ofCluster(kind, cluster).forEach(holder -> tasks.add(propagate(kind, holder)));
        }
    }

    private static Set<TopologyTask> controlPlanesOf(Stream<ClusterTopology> topologies) {
        return topologies.map(topology -> TopologyTask.propagate(TopologyKind.CONTROL_PLANE, topology.key()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static TopologyTask propagate(TopologyKind kind, TaintHolder holder) {
        return TopologyTask.propagate(kind, holder.key());
    }

    /** Its annotation pauses less than spec.paused, and stays when that ends. */
    private static List<Boolean> pauses(Cluster cluster) {
        return List.of(cluster.paused(), Pause.isPaused(cluster));
    }

    private static List<Object> declaration(TaintHolder holder) {
        return List.of(holder.metadata().uid(), holder.taints(), Pause.isAnnotated(holder.metadata()));
    }

    private static Set<TopologyKind> below(TopologyKind kind) {
        return switch (kind) {
            case MACHINE_DEPLOYMENT -> Set.of(TopologyKind.MACHINE_SET);
            case MACHINE_SET, MACHINE_POOL -> Set.of(TopologyKind.MACHINE);
            case CLUSTER, CONTROL_PLANE, MACHINE -> Set.of();
        };
    }
}
