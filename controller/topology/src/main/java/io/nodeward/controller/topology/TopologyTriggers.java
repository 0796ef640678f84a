package io.nodeward.controller.topology;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which objects a change concerns: the object itself, and those it declares taints for if it declares others. What is said
 * of an object by a former run is looked at once it would have been said by this one.
 */
final class TopologyTriggers implements ControlPlanes.Listener {
    private final TopologyPolicy policy;
    private final TopologyCaches caches;
    private final ControlPlanes controlPlanes;
    private final WorkQueue<Task> queue;
    private final Duration patience;

    TopologyTriggers(
            TopologyPolicy policy,
            TopologyCaches caches,
            ControlPlanes controlPlanes,
            WorkQueue<Task> queue,
            Duration patience) {
        this.policy = policy;
        this.caches = caches;
        this.controlPlanes = controlPlanes;
        this.queue = queue;
        this.patience = patience;
    }

    void subscribe() {
        caches.clusters().subscribe(this::clusterChanged);
        caches.topologies().subscribe(this::topologyChanged);
        caches.classes().subscribe((before, after) -> {
            if (after != null) {
                caches.ofClass(after.key()).forEach(topology -> add(topology.key()));
            } else if (before != null) {
                caches.ofClass(before.key()).forEach(topology -> add(topology.key()));
            }
        });
        for (Level level : List.of(Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL, Level.MACHINE_SET, Level.MACHINE)) {
            caches.holders(level).subscribe((before, after) -> holderChanged(level, before, after));
        }
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any == null) {
            return;
        }
        if (before == null || after == null || Pause.isPaused(before) != Pause.isPaused(after)) {
            add(any.key());
            for (Level level : List.of(Level.MACHINE_SET, Level.MACHINE)) {
                caches.ofCluster(level, any.key()).forEach(holder -> add(level, holder));
            }
        }
        recall(new SourceObject(Level.CLUSTER, any.key()), before == null, any.conditions(), after == null);
    }

    private void topologyChanged(@Nullable ClusterTopology before, @Nullable ClusterTopology after) {
        ClusterTopology any = after != null ? after : before;
        if (any != null) {
            add(any.key());
        }
        if (before != null) {
            ControlPlaneRef ref = before.controlPlaneRef();
            if (!caches.hasControlPlanes(ref.group(), ref.kind())) {
                controlPlanes.release(ref.group(), ref.kind());
            }
        }
    }

    /** All that a Cluster declares taints for. */
    private void add(ObjectKey cluster) {
        queue.add(Task.propagate(Level.CONTROL_PLANE, cluster));
        for (Level level : List.of(Level.MACHINE_DEPLOYMENT, Level.MACHINE_POOL)) {
            caches.ofCluster(level, cluster).forEach(holder -> add(level, holder));
        }
    }

    private void add(Level level, TaintHolder holder) {
        queue.add(Task.propagate(level, holder.key()));
    }

    private void holderChanged(Level level, @Nullable TaintHolder before, @Nullable TaintHolder after) {
        TaintHolder any = after != null ? after : before;
        if (any == null) {
            return;
        }
        add(level, any);
        if (before == null || after == null || !declaration(before).equals(declaration(after))) {
            below(level).forEach(lower -> caches.ownedBy(lower, any).forEach(holder -> add(lower, holder)));
        }
        recall(new SourceObject(level, any.key()), before == null, any.conditions(), after == null);
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

    private void recall(SourceObject source, boolean isNew, List<Condition> conditions, boolean gone) {
        boolean said = conditions.stream().anyMatch(condition -> condition.type().equals(TopologyReconciler.CONDITION));
        if (gone) {
            queue.add(Task.report(source));
        } else if (isNew && said) {
            queue.addAfter(Task.report(source), patience);
        }
    }

    @Override
    public void controlPlaneChanged(String group, String kind, Optional<TaintHolder> controlPlane) {
        if (!policy.propagatesTo(Level.CONTROL_PLANE)) {
            return;
        }
        Set<ObjectKey> clusters = new LinkedHashSet<>();
        controlPlane.map(found -> caches.withControlPlane(group, kind, found.key()))
                .orElseGet(() -> caches.withControlPlanes(group, kind))
                .forEach(topology -> clusters.add(topology.key()));
        clusters.forEach(cluster -> queue.add(Task.propagate(Level.CONTROL_PLANE, cluster)));
    }

    @Override
    public void rightsChanged() {
        caches.topologies().all().forEach(topology -> queue.add(Task.propagate(Level.CONTROL_PLANE, topology.key())));
    }
}
