package io.nodeward.controller.machine;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.controller.Controller;

/** Installs the machine controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachineModule extends AbstractModule {
    private final MachineConfig config;
    private final boolean propagatesTaints;
    private final Initialization initialization;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone and syncs the rest
     * @param initialization until when a Node gets taints that are declared for its initialization alone
     */
    public MachineModule(MachineConfig config, boolean propagatesTaints, Initialization initialization) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.initialization = initialization;
    }

    @Override
    protected void configure() {
        bind(MachineConfig.class).toInstance(config);
        Multibinder.newSetBinder(binder(), Controller.class).addBinding().to(MachineRoom.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    NodePolicy policy() {
        return NodePolicy.forMachines()
                .withTaints(propagatesTaints)
                .withInitialization(initialization)
                .withBookkeeping(config.bookkeeping)
                .withAdditional(config.labels, config.annotations);
    }
}
