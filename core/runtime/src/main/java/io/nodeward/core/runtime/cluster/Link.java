package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Accepted;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Cluster's way to its workload cluster, as its Secret says. Changed by one thread at a time, read by any. */
final class Link implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    /** A server that refuses credentials gets them once more from the Secret and over a new connection, no oftener. */
    private static final Duration RENEW_EVERY = Duration.ofMinutes(1);

    private final ObjectKey key;
    private final KubeconfigSecrets secrets;
    private final Connections connections;
    private final Function<Transport, WorkloadCluster> connect;
    private volatile Optional<WorkloadCluster> cluster = Optional.empty();
    private Optional<Accepted> kubeconfig = Optional.empty();
    private Optional<Blocked> defect = Optional.empty();
    /** resourceVersion of the Secret that was last read. */
    private String version = "";
    /** When the Secret was last read because the server refused what it said before; nanoseconds. */
    private long renewed = System.nanoTime() - RENEW_EVERY.toNanos();
    private boolean wasAvailable;

    /** @param connect makes and starts the cluster */
    Link(
            ObjectKey key,
            KubeconfigSecrets secrets,
            Connections connections,
            Function<Transport, WorkloadCluster> connect) {
        this.key = key;
        this.secrets = secrets;
        this.connections = connections;
        this.connect = connect;
    }

    Optional<WorkloadCluster> cluster() {
        return cluster;
    }

    Optional<Blocked> blocked() {
        return defect.or(() -> cluster.flatMap(WorkloadCluster::blocked));
    }

    /** Whether the cluster is available now, and was not when this was asked before. */
    boolean becameAvailable() {
        boolean before = wasAvailable;
        wasAvailable = cluster.filter(WorkloadCluster::available).isPresent();
        return wasAvailable && !before;
    }

    /**
     * Does what the Secret says, if it says something new or the server refuses what it said.
     *
     * @param current resourceVersion of the Secret as last seen
     * @throws ApiFailure if the Secret cannot be read now
     */
    void follow(Cluster owner, String current) {
        if (cluster.filter(WorkloadCluster::tooLarge).isPresent()) {
            defect = blocked();
            close();
        }
        boolean again = cluster.filter(WorkloadCluster::credentialsRefused).isPresent()
                && System.nanoTime() - renewed >= RENEW_EVERY.toNanos();
        if (again) {
            renewed = System.nanoTime();
        }
        if (current.equals(version) && !again) {
            return;
        }
        KubeconfigSecrets.Read read = secrets.read(owner);
        Optional<String> why = switch (read.verdict()) {
            case Refused bad -> Optional.of(bad.defect());
            case Accepted accepted -> follow(accepted, again);
        };
        version = read.version();
        defect = why.map(w -> new Blocked("KubeconfigRefused", "Secret " + KubeconfigSecrets.secretOf(key) + ": " + w));
        if (defect.isPresent()) {
            close();
        }
    }

    /** Returns a defect that only the client library found. */
    private Optional<String> follow(Accepted now, boolean again) {
        try {
            if (cluster.isEmpty() || kubeconfig.filter(now::sameServer).isEmpty()) {
                Transport transport = connections.transport(now.kubeconfig());
                close();
                cluster = Optional.of(connect.apply(transport));
                log("connected");
            } else if (again || !kubeconfig.equals(Optional.of(now))) {
                cluster.get().renew(connections.transport(now.kubeconfig()));
                log("credentials renewed");
            }
            kubeconfig = Optional.of(now);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Ends the connection; the next {@link #follow} may make another. */
    @Override
    public void close() {
        Optional<WorkloadCluster> old = cluster;
        cluster = Optional.empty();
        kubeconfig = Optional.empty();
        old.ifPresent(connected -> {
            connected.close();
            log("disconnected");
        });
    }

    private void log(String what) {
        LOG.atInfo().addKeyValue("Cluster", key).log(what);
    }
}
