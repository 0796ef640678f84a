package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.cluster.GuardedTransport.Limits;
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
    private static final int UNLIMITED = 0;
    /** Bytes: API servers take 3 MiB of an object, and give a little more of it back. */
    private static final int LARGEST_OBJECT = 4 << 20;
    private static final int LARGEST_VERSION = 64 << 10;

    private final Backend backend;
    private final Timers timers;
    private final ClusterSettings settings;
    private final String userAgent;
    private final WritePause pause;
    private final ClientMeters management;
    private final ClientMeters workload;
    private final ClientMeters probe;
    private final ClusterFailures failures;

    /**
     * Of all connections of a process.
     *
     * @param settings for workload clusters
     * @param pause of writes to all servers
     */
    public ConnectionFactory(
            Backend backend,
            ClusterSettings settings,
            Timers timers,
            MeterRegistry registry,
            String version,
            WritePause pause) {
        this.pause = pause;
        this.backend = backend;
        this.settings = settings;
        this.timers = timers;
        this.userAgent = "nodeward/" + version + " (" + backend.name() + "; controller)";
        this.management = new ClientMeters(registry, "management");
        this.workload = new ClientMeters(registry, "workload");
        this.probe = new ClientMeters(registry, "probe");
        this.failures = new ClusterFailures(registry);
    }

    /** @param file where the kubeconfig was read from */
    public ApiServer management(String kubeconfig, Optional<Path> file) {
        Transport transport = backend.connect(new ClusterAccess(kubeconfig, file, userAgent));
        return new ApiServer(
                guarded(transport, management, limits(MANAGEMENT_IN_FLIGHT, UNLIMITED), RequestObserver.NONE));
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

    /** For probes over {@code transport}: counted apart, and not behind the calls in hand. */
    Transport probes(Transport transport) {
        Limits limits = new Limits(1, LARGEST_VERSION, new ReadBudget(UNLIMITED, timers));
        return guarded(transport, probe, limits, RequestObserver.NONE);
    }

    private Limits limits(int inFlight, int readsPerSecond) {
        return new Limits(inFlight, LARGEST_OBJECT, new ReadBudget(readsPerSecond, timers));
    }

    private Transport guarded(Transport transport, ClientMeters meters, Limits limits, RequestObserver observer) {
        return new GuardedTransport(transport, timers, meters, limits, observer, pause);
    }
}
