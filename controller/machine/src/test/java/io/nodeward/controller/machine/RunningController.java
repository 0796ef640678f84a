package io.nodeward.controller.machine;

import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterCache;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.quiet.Part;
import io.nodeward.core.testkit.quiet.Quiet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/** The machine controller at work, as the controller starts and stops it. */
final class RunningController implements AutoCloseable {
    final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicBoolean started = new AtomicBoolean();
    private final Part part;
    private final Injector injector;

    RunningController(String kubeconfig, Quiet quiet) {
        this(kubeconfig, quiet, ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)));
    }

    RunningController(String kubeconfig, Quiet quiet, ClusterSettings settings) {
        part = quiet.part();
        RuntimeConfig runtime = new RuntimeConfig(
                part.over(new Fabric8Backend()), kubeconfig, Optional.empty(), settings, "", List.of(""), false,
                Optional.empty(), Optional.empty(), "test");
        injector = Guice.createInjector(
                Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(registry),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                new MachineModule(new MachineConfig(), true, Initialization.WHEN_UNTRACKED,
                        NoExecuteLimit.Settings.NONE));
        part.queues(
                () -> (long) registry.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> registry.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum())
                .requires("controllers are started", started::get)
                .requires("Events are written", injector.getInstance(EventRecorder.class)::isIdle)
                .requires("no probe is on its way", injector.getInstance(ClusterCache.class)::isIdle);
        ManagementCluster management = injector.getInstance(ManagementCluster.class);
        management.whenSynced(() -> {
            controllers().forEach(Controller::start);
            injector.getInstance(ClusterCache.class).start();
            started.set(true);
        });
        management.start();
    }

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    double reconciliations() {
        return registry.get("controller.runtime.reconcile").tag("controller", "machine").counters().stream()
                .mapToDouble(c -> c.count())
                .sum();
    }

    /** Returns whether what was in hand was finished. */
    boolean stop(Duration patience) throws InterruptedException {
        boolean finished = true;
        for (Controller controller : controllers()) {
            finished &= controller.stop(patience);
        }
        return finished;
    }

    @Override
    public void close() {
        part.close();
        try {
            stop(Duration.ofSeconds(20));
            injector.getInstance(ClusterCache.class).close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        injector.getInstance(EventRecorder.class).close();
        injector.getInstance(ManagementCluster.class).close();
        injector.getInstance(Timers.class).close();
    }
}
