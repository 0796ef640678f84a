package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import java.nio.file.Path;
import java.util.Optional;

/** Connects to API servers through the chosen backend. */
public final class Connections {
    private final Backend backend;
    private final Timers timers;
    private final MeterRegistry registry;
    private final String userAgent;

    public Connections(Backend backend, Timers timers, MeterRegistry registry, String version) {
        this.backend = backend;
        this.timers = timers;
        this.registry = registry;
        this.userAgent = "nodeward/" + version + " (" + backend.name() + "; controller)";
    }

    /** @param file where the kubeconfig was read from */
    public ApiServer management(String kubeconfig, Optional<Path> file) {
        return connect(kubeconfig, file, "management");
    }

    ApiServer workload(String kubeconfig) {
        return connect(kubeconfig, Optional.empty(), "workload");
    }

    private ApiServer connect(String kubeconfig, Optional<Path> file, String host) {
        ClusterAccess access = new ClusterAccess(kubeconfig, file, userAgent);
        return new ApiServer(new GuardedTransport(backend.connect(access), timers, registry, host));
    }
}
