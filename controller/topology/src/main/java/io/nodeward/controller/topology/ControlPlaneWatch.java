package io.nodeward.controller.topology;

import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.core.runtime.cluster.DynamicInformers;
import io.nodeward.core.runtime.controller.Watch;
import io.nodeward.core.runtime.queue.WorkQueue;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Watches control planes of the kinds that topologies name, as long as any does. */
final class ControlPlaneWatch implements Watch<TopologyTask> {
    private final TopologyCaches caches;
    private final ControlPlanes controlPlanes;
    private final TopologyWatches watches;

    @Inject
    ControlPlaneWatch(TopologyCaches caches, ControlPlanes controlPlanes, TopologyWatches watches) {
        this.caches = caches;
        this.controlPlanes = controlPlanes;
        this.watches = watches;
    }

    @Override
    public void start(WorkQueue<TopologyTask> queue) {
        caches.topologies().subscribe((before, after) -> release(before));
        controlPlanes.start(new DynamicInformers.Listener<>() {
            @Override
            public void changed(String group, String kind, Optional<TaintHolder> controlPlane) {
                add(watches.mapControlPlane(group, kind, controlPlane));
            }

            @Override
            public void rightsChanged() {
                add(watches.mapRights());
            }

            private void add(Set<TopologyTask> tasks) {
                tasks.forEach(queue::add);
            }
        });
    }

    private void release(@Nullable ClusterTopology before) {
        if (before != null) {
            ControlPlaneRef ref = before.controlPlaneRef();
            if (!caches.hasControlPlanes(ref.group(), ref.kind())) {
                controlPlanes.release(ref);
            }
        }
    }

    @Override
    public void stop() {
        controlPlanes.close();
    }
}
