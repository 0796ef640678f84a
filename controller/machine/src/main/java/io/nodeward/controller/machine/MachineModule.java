package io.nodeward.controller.machine;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.runtime.Room;

/** Installs the machine room. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachineModule extends AbstractModule {
    private final MachineConfig config;
    private final boolean propagatesTaints;

    /** @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone and syncs the rest */
    public MachineModule(MachineConfig config, boolean propagatesTaints) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
    }

    @Override
    protected void configure() {
        bind(MachineConfig.class).toInstance(config);
        Multibinder.newSetBinder(binder(), Room.class).addBinding().to(MachineRoom.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    NodePolicy policy() {
        return NodePolicy.forMachines()
                .withTaints(propagatesTaints)
                .withBookkeeping(config.bookkeeping)
                .withAdditional(config.labels, config.annotations);
    }
}
