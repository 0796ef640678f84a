package io.nodeward.controller.topology;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.runtime.Room;

/** Installs the topology room. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class TopologyModule extends AbstractModule {
    private final TopologyConfig config;
    private final boolean topologies;
    private final boolean pools;

    /**
     * Needs nothing but what is given.
     *
     * @param topologies the gate TopologyTaintPropagation: off leaves nothing but MachinePools and their Machines
     * @param pools the gate MachinePoolTaintPropagation: off, no taint reaches a MachinePool or
     *     leaves one
     */
    public TopologyModule(TopologyConfig config, boolean topologies, boolean pools) {
        this.config = config;
        this.topologies = topologies;
        this.pools = pools;
    }

    @Override
    protected void configure() {
        bind(TopologyConfig.class).toInstance(config);
        bind(TopologyCaches.class).in(Singleton.class);
        bind(ControlPlanes.class).in(Singleton.class);
        bind(TopologyJournal.class).in(Singleton.class);
        Multibinder.newSetBinder(binder(), Room.class).addBinding().to(TopologyRoom.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    TopologyPolicy policy() {
        return new TopologyPolicy(topologies, pools, config.mode);
    }
}
