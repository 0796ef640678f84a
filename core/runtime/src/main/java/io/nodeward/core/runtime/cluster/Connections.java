package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.metrics.ClientMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.nio.file.Path;
import java.util.Optional;

/** Connects to API servers through the chosen backend. */
public final class Connections {
    private static final int MANAGEMENT_IN_FLIGHT = 64;
    private static final int UNLIMITED = 0;

    private final Backend backend;
    private final Timers timers;
    private final ClusterSettings settings;
    private final String userAgent;
    private final ClientMeters management;
    private final ClientMeters workload;
    private final ClientMeters probe;

    /** @param settings for workload clusters */
    public Connections(
            Backend backend, ClusterSettings settings, Timers timers, MeterRegistry registry, String version) {
        this.backend = backend;
        this.settings = settings;
        this.timers = timers;
        this.userAgent = "nodeward/" + version + " (" + backend.name() + "; controller)";
        this.management = new ClientMeters(registry, "management");
        this.workload = new ClientMeters(registry, "workload");
        this.probe = new ClientMeters(registry, "probe");
    }

    /** @param file where the kubeconfig was read from */
    public ApiServer management(String kubeconfig, Optional<Path> file) {
        Transport transport = backend.connect(new ClusterAccess(kubeconfig, file, userAgent));
        return new ApiServer(guarded(transport, management, MANAGEMENT_IN_FLIGHT, UNLIMITED, CallObserver.NONE));
    }

    ClusterSettings settings() {
        return settings;
    }

    /** @throws IllegalArgumentException if the backend cannot use this kubeconfig of a Secret */
    Transport transport(String kubeconfig) {
        return backend.connect(new ClusterAccess(kubeconfig, Optional.empty(), userAgent));
    }

    ApiServer workload(Transport transport, CallObserver observer) {
        return new ApiServer(
                guarded(transport, workload, settings.inFlight(), settings.readsPerSecond(), observer));
    }

    /** For probes over {@code transport}: counted apart, and not behind the calls in hand. */
    Transport probes(Transport transport) {
        return guarded(transport, probe, 1, UNLIMITED, CallObserver.NONE);
    }

    private Transport guarded(
            Transport transport, ClientMeters meters, int inFlight, int readsPerSecond, CallObserver observer) {
        return new GuardedTransport(transport, timers, meters, inFlight, new ReadBudget(readsPerSecond), observer);
    }
}
