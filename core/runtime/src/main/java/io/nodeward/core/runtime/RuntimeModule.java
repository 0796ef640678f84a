package io.nodeward.core.runtime;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.cluster.AnnotationWriter;
import io.nodeward.core.runtime.cluster.Connections;
import io.nodeward.core.runtime.cluster.DryRunWriter;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.TaintWriter;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import java.time.InstantSource;

/** Binds what controllers use: the management cluster, the workload clusters, events, timers. Needs a {@link MeterRegistry}. */
public final class RuntimeModule extends AbstractModule {
    private final RuntimeConfig config;

    public RuntimeModule(RuntimeConfig config) {
        this.config = config;
    }

    @Override
    protected void configure() {
        Multibinder.newSetBinder(binder(), Controller.class);
        bind(NodeListers.class).to(WorkloadClusters.class);
    }

    @Provides
    @Singleton
    Timers timers() {
        return new Timers();
    }

    @Provides
    InstantSource clock() {
        return InstantSource.system();
    }

    @Provides
    @Singleton
    Connections connections(Timers timers, MeterRegistry registry) {
        return new Connections(config.backend(), config.clusters(), timers, registry, config.version());
    }

    @Provides
    @Singleton
    ManagementCluster management(Connections connections, Timers timers) {
        return new ManagementCluster(
                connections.management(config.kubeconfig(), config.kubeconfigFile()), config.watchFilter(), timers);
    }

    @Provides
    @Singleton
    EventRecorder events(ManagementCluster management, InstantSource clock, Timers timers, MeterRegistry registry) {
        return new EventRecorder(management.server(), clock, timers, !config.observe(), registry);
    }

    @Provides
    @Singleton
    Conditions conditions(ManagementCluster management, InstantSource clock, Timers timers) {
        return new Conditions(
                management.server(), config.clusters().blockedAfter(), clock, timers::nanoTime, !config.observe());
    }

    @Provides
    @Singleton
    ObjectWriter writer(ManagementCluster management, WorkloadClusters nodes, MeterRegistry registry) {
        return config.observe()
                ? new DryRunWriter(registry)
                : ObjectWriter.of(nodes, new AnnotationWriter(management.server()),
                        new TaintWriter(management.server(), registry));
    }

    @Provides
    @Singleton
    PoolInfrastructure infrastructure(ManagementCluster management, Timers timers, MeterRegistry registry) {
        return new PoolInfrastructure(management.server(), timers, registry);
    }

    @Provides
    @Singleton
    WorkloadClusters workloads(
            ManagementCluster management,
            Connections connections,
            EventRecorder events,
            Conditions conditions,
            Timers timers,
            MeterRegistry registry) {
        return new WorkloadClusters(management, connections, events, conditions, timers, registry);
    }

    @Provides
    @Singleton
    ControllerContext context(
            ObjectWriter writer,
            Conditions conditions,
            EventRecorder events,
            InstantSource clock,
            Timers timers,
            MeterRegistry registry) {
        return new ControllerContext(writer, conditions, events, clock, timers, registry);
    }
}
