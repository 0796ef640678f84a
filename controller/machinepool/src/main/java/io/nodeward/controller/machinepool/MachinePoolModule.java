package io.nodeward.controller.machinepool;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.controller.Controller;

/** Installs the machinepool controller. Needs the bindings of {@link io.nodeward.core.runtime.RuntimeModule}. */
public final class MachinePoolModule extends AbstractModule {
    private final MachinePoolConfig config;
    private final boolean propagatesTaints;
    private final Initialization initialization;

    /**
     * Needs nothing but what is given.
     *
     * @param propagatesTaints the gate MachineTaintPropagation: off leaves taints alone
     * @param initialization until when a Node gets taints that are declared for its initialization alone
     */
    public MachinePoolModule(MachinePoolConfig config, boolean propagatesTaints, Initialization initialization) {
        this.config = config;
        this.propagatesTaints = propagatesTaints;
        this.initialization = initialization;
    }

    @Override
    protected void configure() {
        bind(MachinePoolConfig.class).toInstance(config);
        bind(MachinePools.class).in(Singleton.class);
        Multibinder.newSetBinder(binder(), Controller.class).addBinding().to(MachinePoolRoom.class).in(Singleton.class);
    }

    @Provides
    @Singleton
    PoolPolicy policy() {
        return new PoolPolicy(NodePolicy.forMachinePools()
                .withTaints(propagatesTaints)
                .withInitialization(initialization)
                .withUninitializedRemoved(config.initialize)
                .withMetadata(config.labels));
    }
}
