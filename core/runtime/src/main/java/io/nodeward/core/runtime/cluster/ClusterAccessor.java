package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Accepted;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig.Refused;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One Cluster's way to its workload cluster, as its Secret says. Changed by one thread at a time, read by any. */
final class ClusterAccessor {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterAccessor.class);
    /** A server that refuses credentials gets them once more from the Secret and over a new connection, no oftener. */
    private static final Duration RENEW_EVERY = Duration.ofMinutes(1);

    private final ObjectKey key;
    private final KubeconfigSecrets secrets;
    private final ConnectionFactory connections;
    private final Function<Transport, WorkloadCluster> connect;
    private final Timers timers;
    private volatile Optional<WorkloadCluster> cluster = Optional.empty();
    private Optional<Accepted> kubeconfig = Optional.empty();
    private volatile Optional<Outcome.NotWritten> defect = Optional.empty();
    /** resourceVersion of the Secret that was last read. */
    private volatile String version = "";
    /** When the Secret was last read because the server refused what it said before; nanoseconds. */
    private long renewed;

    /** @param connect makes and starts the cluster */
    ClusterAccessor(
            ObjectKey key,
            KubeconfigSecrets secrets,
            ConnectionFactory connections,
            Function<Transport, WorkloadCluster> connect,
            Timers timers) {
        this.key = key;
        this.secrets = secrets;
        this.connections = connections;
        this.connect = connect;
        this.timers = timers;
        this.renewed = timers.nanoTime() - RENEW_EVERY.toNanos();
    }

    Optional<WorkloadCluster> cluster() {
        return cluster;
    }

    /** Only somebody can fix a Secret, while a server may come back by itself, and is reported if it does not. */
    Optional<Outcome.NotWritten> blocked() {
        return defect.or(() -> cluster.flatMap(WorkloadCluster::blocked).map(by -> new Outcome.NotWritten(by, false)));
    }

    /** As {@link WorkloadCluster#becameAvailable}. */
    boolean becameAvailable() {
        return cluster.filter(WorkloadCluster::becameAvailable).isPresent();
    }

    /** How long until refused credentials are looked for in the Secret again; empty if none are refused. */
    Optional<Duration> renewsIn() {
        Duration left = RENEW_EVERY.minusNanos(timers.nanoTime() - renewed);
        return cluster.filter(WorkloadCluster::credentialsRefused)
                .map(refused -> left.isNegative() ? Duration.ZERO : left);
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
            letGo();
        }
        boolean again = cluster.filter(WorkloadCluster::credentialsRefused).isPresent()
                && timers.nanoTime() - renewed >= RENEW_EVERY.toNanos();
        if (current.equals(version) && !again) {
            return;
        }
        KubeconfigSecrets.Read read = secrets.read(owner);
        if (again) {
            renewed = timers.nanoTime();
        }
        Optional<String> why = switch (read.verdict()) {
            case Refused bad -> Optional.of(bad.defect());
            case Accepted accepted -> follow(accepted, again);
        };
        version = read.version();
        defect = why.map(w -> new Outcome.NotWritten(
                new Blocked(Reason.KUBECONFIG_REFUSED, "Secret " + KubeconfigSecrets.secretOf(key) + ": " + w), true));
        if (defect.isPresent()) {
            letGo();
        }
    }

    /** The next {@link #follow} connects again if the cluster was too large. */
    void retryTooLarge() {
        if (defect.filter(why -> why.by().reason().equals(Reason.CLUSTER_TOO_LARGE.text())).isPresent()) {
            version = "";
        }
    }

    /** Returns a defect that only the client library found. */
    private Optional<String> follow(Accepted now, boolean again) {
        try {
            if (cluster.isEmpty() || kubeconfig.filter(now::sameServer).isEmpty()) {
                Transport transport = connections.transport(now.kubeconfig());
                letGo();
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

    /**
     * Ends the connection in the background, as one that hangs takes its time; the next {@link #follow} may make another.
     *
     * @return who ends it
     */
    Optional<Thread> letGo() {
        Optional<WorkloadCluster> old = cluster;
        cluster = Optional.empty();
        kubeconfig = Optional.empty();
        old.ifPresent(connected -> log("disconnected"));
        return old.map(
                connected -> Thread.ofVirtual().name("nodeward-close " + key).start(() -> close(connected)));
    }

    private void close(WorkloadCluster connected) {
        try {
            connected.close();
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("Cluster", key).setCause(e).log("the connection failed to close");
        }
    }

    private void log(String what) {
        LOG.atInfo().addKeyValue("Cluster", key).log(what);
    }
}
