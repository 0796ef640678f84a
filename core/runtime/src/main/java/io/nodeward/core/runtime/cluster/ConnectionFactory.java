package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.cluster.GuardedTransport.Limits;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.nio.file.Path;
import java.util.Optional;

/** Connects to API servers through the chosen backend. */
public final class ConnectionFactory {
    private static final int MANAGEMENT_IN_FLIGHT = 64;
    /** An attempt, and a release beside it. */
    private static final int LEASE_IN_FLIGHT = 2;
    private static final int UNLIMITED = 0;
    /** Bytes: API servers take 3 MiB of an object, and give a little more of it back. */
    private static final int LARGEST_OBJECT = 4 << 20;
    private static final int LARGEST_VERSION = 64 << 10;

    private final Backend backend;
    private final Timers timers;
    private final ClusterSettings settings;
    private final String userAgent;
    private final WritePause pause;
    private final Leadership leadership;
    private final ClientMeters management;
    private final ClientMeters workload;
    private final ClientMeters probe;
    private final ClusterFailures failures;

    /**
     * Makes all connections of a process.
     *
     * @param settings for workload clusters
     * @param pause of writes to all servers
     * @param leadership without which no server is written to
     */
    public ConnectionFactory(
            Backend backend,
            ClusterSettings settings,
            Timers timers,
            MeterRegistry registry,
            String version,
            WritePause pause,
            Leadership leadership) {
        this.pause = pause;
        this.leadership = leadership;
        this.backend = backend;
        this.settings = settings;
        this.timers = timers;
        this.userAgent = userAgent(backend, version);
        this.management = new ClientMeters(registry, "management");
        this.workload = new ClientMeters(registry, "workload");
        this.probe = new ClientMeters(registry, "probe");
        this.failures = new ClusterFailures(registry);
    }

    /**
     * Connects to the management cluster.
     *
     * @param file where the kubeconfig was read from
     */
    public ApiServer management(String kubeconfig, Optional<Path> file) {
        Transport transport = backend.connect(new ClusterAccess(kubeconfig, file, userAgent));
        return new ApiServer(
                guarded(transport, management, limits(MANAGEMENT_IN_FLIGHT, UNLIMITED), RequestObserver.NONE));
    }

    /**
     * Returns a connection to the management cluster for the Lease alone, which waits for no other request, nor for the end of a
     * pause.
     *
     * @param file where the kubeconfig was read from
     * @param version of Nodeward
     */
    public static Transport lease(
            Backend backend,
            String kubeconfig,
            Optional<Path> file,
            String version,
            Timers timers,
            MeterRegistry registry) {
        Transport transport = backend.connect(new ClusterAccess(kubeconfig, file, userAgent(backend, version)));
        Limits limits = new Limits(LEASE_IN_FLIGHT, LARGEST_OBJECT, new ReadBudget(UNLIMITED, timers));
        return new GuardedTransport(transport, timers, new ClientMeters(registry, "lease"), limits,
                RequestObserver.NONE, WritePause.NEVER, Leadership.UNCONTESTED);
    }

    private static String userAgent(Backend backend, String version) {
        return "nodeward/" + version + " (" + backend.name() + "; controller)";
    }

    ClusterSettings settings() {
        return settings;
    }

    ClusterFailures failures() {
        return failures;
    }

    /** @throws IllegalArgumentException if the backend cannot use this kubeconfig of a Secret */
    Transport transport(String kubeconfig) {
        return backend
                .connect(new ClusterAccess(kubeconfig, Optional.empty(), userAgent, settings.policy().servers()));
    }

    ApiServer workload(Transport transport, RequestObserver observer) {
        return new ApiServer(
                guarded(transport, workload, limits(settings.inFlight(), settings.readsPerSecond()), observer));
    }

    /** Returns a transport for probes over another, which counts them apart and sends them before the calls in hand end. */
    Transport probes(Transport transport) {
        Limits limits = new Limits(1, LARGEST_VERSION, new ReadBudget(UNLIMITED, timers));
        return guarded(transport, probe, limits, RequestObserver.NONE);
    }

    private Limits limits(int inFlight, int readsPerSecond) {
        return new Limits(inFlight, LARGEST_OBJECT, new ReadBudget(readsPerSecond, timers));
    }

    private Transport guarded(Transport transport, ClientMeters meters, Limits limits, RequestObserver observer) {
        return new GuardedTransport(transport, timers, meters, limits, observer, pause, leadership);
    }
}
