package io.nodeward.core.runtime;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import com.google.inject.multibindings.Multibinder;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cluster.ChangeWriter;
import io.nodeward.core.runtime.cluster.ClusterCache;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.WriteMeters;
import io.nodeward.core.runtime.cluster.MissingRights;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Transport;
import java.time.InstantSource;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Binds what controllers use: the home cluster, the management cluster, the workload clusters, events, timers. Needs a
 * {@link MeterRegistry}.
 */
public final class RuntimeModule extends AbstractModule implements AutoCloseable {
    private final RuntimeConfig config;
    /** The tasks that close what has been opened, the youngest first. */
    private final Deque<Runnable> ends = new ConcurrentLinkedDeque<>();

    public RuntimeModule(RuntimeConfig config) {
        this.config = config;
    }

    @Override
    protected void configure() {
        Multibinder.newSetBinder(binder(), Controller.class);
        bind(NodeListers.class).to(ClusterCache.class);
    }

    /**
     * Closes what it has provided, whether or not the rest could be made. The caller has stopped the controllers. An object that fails
     * to close does not keep others open.
     *
     * @throws RuntimeException the first failure, with the others suppressed
     */
    @Override
    public void close() {
        RuntimeException first = null;
        for (Runnable end = ends.poll(); end != null; end = ends.poll()) {
            try {
                end.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    @Provides
    @Singleton
    Timers timers() {
        Timers timers = new Timers();
        ends.push(timers::close);
        return timers;
    }

    @Provides
    InstantSource clock() {
        return InstantSource.system();
    }

    @Provides
    @Singleton
    WritePause pause(MeterRegistry registry) {
        return WritePause.of(config.pause(), registry);
    }

    /** Provides the leadership. It is closed after the cluster, so that it ends after all writes. */
    @Provides
    @Singleton
    Leadership leadership(Timers timers, InstantSource clock, MeterRegistry registry) {
        Leadership leadership = config.lease().map(lease -> Leadership.by(
                lease, lease(timers, registry), host(), timers, clock, registry)).orElse(Leadership.UNCONTESTED);
        ends.push(leadership::close);
        return leadership;
    }

    private Transport lease(Timers timers, MeterRegistry registry) {
        try {
            return ConnectionFactory.lease(config.backend(), config.kubeconfig(), config.kubeconfigFile(),
                    config.version(), timers, registry);
        } catch (IllegalArgumentException e) {
            throw new UnusableKubeconfigException(e);
        }
    }

    @Provides
    @Singleton
    ConnectionFactory connections(Timers timers, MeterRegistry registry, WritePause pause, Leadership leadership) {
        return new ConnectionFactory(
                config.backend(), config.clusters(), timers, registry, config.version(), pause, leadership);
    }

    @Provides
    @Singleton
    HomeCluster home(ConnectionFactory connections, Timers timers, WritePause pause, MeterRegistry registry) {
        try {
            HomeCluster home = new HomeCluster(connections.management(config.kubeconfig(), config.kubeconfigFile()),
                    HeapBudget.ofProcess(registry), timers);
            ends.push(home::close);
            pause.watch(home);
            return home;
        } catch (IllegalArgumentException e) {
            throw new UnusableKubeconfigException(e);
        }
    }

    /** Returns the name of the machine; in a pod, that of the pod. */
    private static String host() {
        return System.getenv().getOrDefault("HOSTNAME", "nodeward");
    }

    @Provides
    @Singleton
    MissingRights missingRights(HomeCluster home, WritePause pause, InstantSource clock, Timers timers) {
        return new MissingRights(home, pause, clock, timers, !config.dryRun());
    }

    @Provides
    @Singleton
    ManagementCluster management(HomeCluster home, Timers timers) {
        ManagementCluster management = new ManagementCluster(home, config.watchFilter(), config.namespaces(), timers);
        ends.push(management::close);
        return management;
    }

    @Provides
    @Singleton
    EventRecorder events(HomeCluster home, InstantSource clock, Timers timers, MeterRegistry registry) {
        EventRecorder events = new EventRecorder(home.server(), clock, timers, !config.dryRun(), registry);
        ends.push(events::close);
        return events;
    }

    @Provides
    @Singleton
    Conditions conditions(HomeCluster home, InstantSource clock, Timers timers) {
        Conditions conditions = new Conditions(
                home.server(), config.clusters().blockedAfter(), clock, timers::nanoTime, !config.dryRun());
        home.informers().whenRestored(conditions::restored);
        return conditions;
    }

    @Provides
    @Singleton
    ObjectWriter writer(HomeCluster home, ClusterCache nodes, MeterRegistry registry) {
        WriteMeters meters = new WriteMeters(registry);
        ObjectWriter here = new ChangeWriter(home.server(), meters);
        return config.dryRun()
                ? meters.dryRun()
                : (change, fieldManager, again) -> (change.cluster().isPresent() ? nodes : here)
                        .apply(change, fieldManager, again);
    }

    @Provides
    @Singleton
    PoolInfrastructure infrastructure(HomeCluster home, Timers timers, MeterRegistry registry) {
        PoolInfrastructure infrastructure = new PoolInfrastructure(home.server(), timers, registry);
        ends.push(infrastructure::close);
        return infrastructure;
    }

    @Provides
    @Singleton
    ClusterCache workloads(
            ManagementCluster management,
            ConnectionFactory connections,
            EventRecorder events,
            Conditions conditions,
            Timers timers,
            MeterRegistry registry) {
        return new ClusterCache(management, connections, events, conditions, timers, registry);
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
        return new ControllerContext(
                writer, conditions, events, clock, timers, registry, config.watchFilter(), config.dryRun());
    }
}
