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
        if (MapFunction.differs(before, after, Pause::isPaused)) {
            ObjectKey cluster = MapFunction.latest(before, after).key();
            addCluster(cluster, tasks);
            for (Level level : List.of(Level.MACHINE_SET, Level.MACHINE)) {
                caches.ofCluster(level, cluster).forEach(holder -> tasks.add(propagate(level, holder)));
            }
        }
        addGone(Level.CLUSTER, before, after, tasks);
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

    Set<TopologyTask> mapHolder(Level level, @Nullable TaintHolder before, @Nullable TaintHolder after) {
        Set<TopologyTask> tasks = new LinkedHashSet<>();
        TaintHolder holder = MapFunction.latest(before, after);
        tasks.add(propagate(level, holder));
        if (MapFunction.differs(before, after, TopologyWatches::declaration)) {
            below(level).forEach(lower -> caches.ownedBy(lower, holder)
                    .forEach(owned -> tasks.add(propagate(lower, owned))));
        }
        addGone(level, before, after, tasks);
        return tasks;
    }

    /** @param controlPlane empty if the kind itself has changed */
    Set<TopologyTask> mapControlPlane(String group, String kind, Optional<TaintHolder> controlPlane) {
        return policy.propagatesTo(Level.CONTROL_PLANE)
                ? controlPlanesOf(controlPlane.map(found -> caches.withControlPlane(group, kind, found.key()))
                        .orElseGet(() -> caches.withControlPlanes(group, kind)).stream())
                : Set.of();
    }

    /** The control planes of all topologies. */
    Set<TopologyTask> mapRights() {
        return controlPlanesOf(caches.topologies().all().stream());
    }

    /** A new object, if a former run has reported on it. */
    Set<TopologyTask> mapReported(Level level, KubernetesObject object, List<Condition> conditions) {
        return conditions.stream().anyMatch(condition -> condition.type().equals(TopologyReconciler.CONDITION))
                ? Set.of(TopologyTask.report(new SourceObject(level, object.key())))
                : Set.of();
    }

    private static void addGone(
            Level level, @Nullable KubernetesObject before, @Nullable KubernetesObject after, Set<TopologyTask> tasks) {
        if (before != null && after == null) {
            tasks.add(TopologyTask.report(new SourceObject(level, before.key())));
        }
    }

    /** All that a Cluster declares taints for. */
    private void addCluster(ObjectKey cluster, Set<TopologyTask> tasks) {
        tasks.add(TopologyTask.propagate(Level.CONTROL_PLANE, cluster));
        for (Level level : List.of(Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL)) {
            caches.ofCluster(level, cluster).forEach(holder -> tasks.add(propagate(level, holder)));
        }
    }

    private static Set<TopologyTask> controlPlanesOf(Stream<ClusterTopology> topologies) {
        return topologies.map(topology -> TopologyTask.propagate(Level.CONTROL_PLANE, topology.key()))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static TopologyTask propagate(Level level, TaintHolder holder) {
        return TopologyTask.propagate(level, holder.key());
    }

    private static List<Object> declaration(TaintHolder holder) {
        return List.of(holder.metadata().uid(), holder.taints(), Pause.isAnnotated(holder.metadata()));
    }

    private static Set<Level> below(Level level) {
        return switch (level) {
            case MACHINE_DEPLOYMENT -> Set.of(Level.MACHINE_SET);
            case MACHINE_SET, MACHINE_POOL -> Set.of(Level.MACHINE);
            case CLUSTER, CONTROL_PLANE, MACHINE -> Set.of();
        };
    }
}
