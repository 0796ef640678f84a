package io.nodeward.controller.topology;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.status.Conditions;

/**
 * Installs the topology room, and takes back what it has said of objects that gates or mode leave out now: nothing else
 * is done without either gate. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}.
 */
public final class TopologyModule extends AbstractModule {
    private final TopologyConfig config;
    private final boolean topologies;
    private final boolean pools;
    private final String watchFilter;

    /**
     * Needs nothing but what is given.
     *
     * @param topologies the gates TopologyTaintPropagation and MachineTaintPropagation
     * @param pools the gates MachinePoolTaintPropagation and MachineTaintPropagation: off, no taint reaches a
     *     MachinePool or leaves one
     * @param watchFilter of Clusters and what is theirs; empty for all
     */
    public TopologyModule(TopologyConfig config, boolean topologies, boolean pools, String watchFilter) {
        this.config = config;
        this.topologies = topologies;
        this.pools = pools;
        this.watchFilter = watchFilter;
    }

    @Override
    protected void configure() {
        Multibinder<Room> rooms = Multibinder.newSetBinder(binder(), Room.class);
        rooms.addBinding().to(CleanUpRoom.class).in(Singleton.class);
        if (topologies || pools) {
            bind(TopologyConfig.class).toInstance(config);
            bind(TopologyCaches.class).in(Singleton.class);
            bind(ControlPlanes.class).in(Singleton.class);
            rooms.addBinding().to(TopologyRoom.class).in(Singleton.class);
        }
    }

    @Provides
    @Singleton
    TopologyPolicy policy() {
        return new TopologyPolicy(topologies, pools, config.mode);
    }

    @Provides
    @Singleton
    Retraction retraction(ManagementCluster management, Conditions conditions) {
        return new Retraction(management, conditions, watchFilter);
    }
}
