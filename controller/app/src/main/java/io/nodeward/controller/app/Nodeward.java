package io.nodeward.controller.app;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.spi.Message;
import com.sun.net.httpserver.HttpsConfigurator;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.nodeward.controller.app.KnownController.FeatureGate;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.UnusableKubeconfigException;
import io.nodeward.core.runtime.cluster.ClusterCache;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.MissingRights;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.Controllers;
import io.nodeward.core.runtime.https.ServerLimits;
import io.nodeward.core.runtime.leader.Leadership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** A running controller. */
public final class Nodeward implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Nodeward.class);
    /** A write in hand is answered or given up within the request timeout; Kubernetes kills after 30 s. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final Injector injector;
    private final RuntimeModule runtime;
    private final Set<Controller> controllers;
    private final Endpoints endpoints;
    private final Readiness readiness;
    private boolean closed;

    private Nodeward(
            Injector injector,
            RuntimeModule runtime,
            Set<Controller> controllers,
            Endpoints endpoints,
            Readiness readiness) {
        this.injector = injector;
        this.runtime = runtime;
        this.controllers = controllers;
        this.endpoints = endpoints;
        this.readiness = readiness;
    }

    /**
     * Starts with the arguments of {@code nodeward controller}, inside this process.
     *
     * @throws IOException if a file cannot be read or an address not be listened on
     * @throws IllegalArgumentException if an argument cannot be used
     */
    public static Nodeward start(String... args) throws IOException {
        return start(List.of(), args);
    }

    /** As above, with controllers of others: their flags are among the arguments. */
    public static Nodeward start(List<OutOfTreeController> others, String... args) throws IOException {
        CommandLine command = Main.commandLine(others, args);
        try {
            command.parseArgs(args);
        } catch (CommandLine.ParameterException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return start(command.<ControllerCommand>getCommand());
    }

    /**
     * Starts and returns; each controller begins when what it reads has been seen.
     *
     * @throws IOException if a file cannot be read or an address not be listened on
     * @throws IllegalArgumentException if an option cannot be used
     */
    static Nodeward start(ControllerCommand options) throws IOException {
        ServerLimits.set();
        FeatureGates gates = FeatureGates.of(options.gates);
        Set<KnownController> selected = new ControllerSelection(options.controllers, gates).selected();
        RuntimeConfig config = config(options);
        InetSocketAddress health = options.health();
        InetSocketAddress metrics = options.metrics();
        Optional<HttpsConfigurator> metricsTls = options.metricsTls();
        PrometheusMeterRegistry registry = registry(gates);
        RuntimeModule runtime = new RuntimeModule(config);
        Runnable close = runtime::close;
        try {
            Injector injector = injector(
                    options, KnownController.modules(selected, options, gates), config, runtime, registry);
            Set<Controller> controllers = controllers(injector);
            Readiness readiness = new Readiness(() -> unsynced(injector), controllers);
            PathAccess access = new PathAccess(injector.getInstance(HomeCluster.class).server());
            Endpoints endpoints = new Endpoints(health, metrics, metricsTls, readiness::missing,
                    new MetricsHandler(registry::scrape,
                            options.metricsSecure ? Optional.of(access) : Optional.empty()),
                    new DebugHandler(access));
            LOG.info("controllers: {}", controllers.stream().map(Controller::name).sorted().toList());
            sayWhatStays(KnownController.leaving(selected, options));
            sayIfDevicesStay(selected);
            Nodeward nodeward = new Nodeward(injector, runtime, controllers, endpoints, readiness);
            close = nodeward::close;
            nodeward.start();
            return nodeward;
        } catch (IOException | RuntimeException e) {
            try {
                close.run();
            } catch (RuntimeException failed) {
                e.addSuppressed(failed);
            }
            throw e;
        }
    }

    /** API servers would go on to ask what does not run any more, and nothing else tells of it. */
    private static void sayWhatStays(List<String> controllers) {
        if (!controllers.isEmpty()) {
            LOG.info(
                    "not selected: {}. If they ran before, what they registered with API servers stays, as another process may"
                            + " run them now. If none does, delete it: nodeward controller --cleanup --controllers={}, with the other"
                            + " flags of this process",
                    controllers, String.join(",", controllers));
        }
    }

    /** A process without the controller has no right to clean up after it. */
    private static void sayIfDevicesStay(Set<KnownController> selected) {
        if (!selected.contains(KnownController.DEVICES)) {
            LOG.info(
                    "devices is not selected. If it ran before, its DeviceTaintRules of Kubernetes and its conditions stay. If no"
                            + " other process runs it, take them away: nodeward controller --controllers=devices"
                            + " --feature-gates=DeviceTaints=false, with the rights of its RBAC file");
        }
    }

    static Set<Controller> controllers(Injector injector) {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    static RuntimeConfig config(ControllerCommand options) throws IOException {
        Kubeconfigs.Found kubeconfig =
                Kubeconfigs.find(options.kubeconfig, System.getenv(), Kubeconfigs.SERVICE_ACCOUNT);
        return new RuntimeConfig(
                Backends.named(options.backend),
                kubeconfig.text(),
                Optional.of(kubeconfig.file()),
                options.clusters.settings(),
                options.watchFilter,
                options.namespaces(),
                options.dryRun,
                options.pause(),
                options.leaderElection.lease(options),
                Version.current());
    }

    static Injector injector(
            ControllerCommand options,
            List<Module> controllers,
            RuntimeConfig config,
            RuntimeModule runtime,
            PrometheusMeterRegistry registry) {
        try {
            List<Module> modules = new ArrayList<>(List.<Module>of(
                    binder -> binder.bind(MeterRegistry.class).toInstance(registry),
                    runtime));
            modules.addAll(controllers);
            options.others.forEach(other -> modules.add(other.module()));
            return Guice.createInjector(Stage.PRODUCTION, modules);
        } catch (CreationException e) {
            for (Message message : e.getErrorMessages()) {
                if (message.getCause() instanceof UnusableKubeconfigException unusable) {
                    throw new IllegalArgumentException("kubeconfig " + where(config) + ": " + unusable.getMessage(), e);
                }
                if (message.getCause() instanceof IllegalArgumentException refused) {
                    throw new IllegalArgumentException(refused.getMessage(), e);
                }
            }
            throw e;
        }
    }

    private static String where(RuntimeConfig config) {
        return config.kubeconfigFile().map(Path::toString).orElse("of the pod");
    }

    static PrometheusMeterRegistry registry(FeatureGates gates) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        for (FeatureGate gate : FeatureGate.values()) {
            Tags tags = Tags.of("name", gate.name(), "stage", gate.stage().toUpperCase(Locale.ROOT));
            int state = gates.isOn(gate) ? 1 : 0;
            Gauge.builder("kubernetes.feature.enabled", () -> state).tags(tags).description("Gates: 1 is on")
                    .register(registry);
        }
        return registry;
    }

    private void start() {
        HomeCluster home = injector.getInstance(HomeCluster.class);
        ManagementCluster management = injector.getInstance(ManagementCluster.class);
        injector.getInstance(Leadership.class).start();
        Controllers.start(controllers);
        injector.getInstance(MissingRights.class).start(controllers);
        injector.getInstance(ClusterCache.class).startWhenSynced();
        management.whenSynced(() -> home.whenSynced(() -> LOG.info("ready: {}", management.sizes())));
        home.start();
        management.start();
    }

    /** What keeps controllers from their start; empty if nothing does. */
    private static Optional<String> unsynced(Injector injector) {
        return injector.getInstance(ManagementCluster.class).unsynced()
                .or(injector.getInstance(HomeCluster.class)::unsynced);
    }

    public int healthPort() {
        return endpoints.healthPort();
    }

    public int metricsPort() {
        return endpoints.metricsPort();
    }

    /** Finishes the writes in hand, then lets go of every connection. Idempotent. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        readiness.end();
        try (endpoints; runtime; ClusterCache workloads = injector.getInstance(ClusterCache.class)) {
            Controllers.stop(controllers, PATIENCE, injector.getInstance(InstantSource.class));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.info("stopped");
    }
}
