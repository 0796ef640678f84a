package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.kubeconfig.SecretKubeconfig;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects every Cluster whose kubeconfig Secret is there, and drops it when it goes. A cluster that cannot be reached
 * or whose kubeconfig is refused troubles no other.
 */
public final class WorkloadClusters implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkloadClusters.class);
    private static final String SUFFIX = "-kubeconfig";
    private static final int WORKERS = 8;

    private final ManagementCluster management;
    private final Connections connections;
    private final Warnings warnings;
    private final boolean observe;
    private final Timers timers;
    private final NodeMeters meters;
    private final Controller controller;
    private final Map<ObjectKey, WorkloadCluster> connected = new ConcurrentHashMap<>();
    /** resourceVersion of the Secret that was last read, by cluster. */
    private final Map<ObjectKey, String> readSecrets = new ConcurrentHashMap<>();
    /** Clusters with a warning, to forget it when the Cluster or its Secret is gone. */
    private final Map<ObjectKey, Event.Regarding> refused = new ConcurrentHashMap<>();
    private final List<NodeListener> listeners = new CopyOnWriteArrayList<>();

    /** @param observe plan and measure, but write nothing */
    public WorkloadClusters(
            ManagementCluster management,
            Connections connections,
            Warnings warnings,
            boolean observe,
            Timers timers,
            MeterRegistry registry) {
        this.management = management;
        this.connections = connections;
        this.warnings = warnings;
        this.observe = observe;
        this.timers = timers;
        this.meters = new NodeMeters(registry);
        this.controller = new Controller("cluster", key -> "", WORKERS, this::connect, timers, registry);
        Gauge.builder("nodeward.clusters.connected", connected, Map::size)
                .description("Workload clusters connected").register(registry);
        Gauge.builder("nodeward.nodes", this, WorkloadClusters::countNodes)
                .description("Nodes seen in all workload clusters").register(registry);
    }

    private double countNodes() {
        return connected.values().stream().mapToInt(c -> c.nodes().size()).sum();
    }

    /** The cluster, if it is connected and all its Nodes have been seen. */
    public Optional<WorkloadCluster> find(ObjectKey cluster) {
        return Optional.ofNullable(connected.get(cluster)).filter(WorkloadCluster::synced);
    }

    /** To be called before {@link #start}. */
    public void subscribe(NodeListener listener) {
        listeners.add(listener);
    }

    public void start() {
        management.clusters().subscribe((before, after) -> {
            Cluster any = after != null ? after : before;
            if (any != null) {
                controller.queue().add(any.key());
            }
        });
        management.secrets().subscribe((before, after) -> {
            PartialObject any = after != null ? after : before;
            if (any != null && any.key().name().endsWith(SUFFIX)) {
                controller.queue().add(clusterOf(any.key()));
            }
        });
        controller.start();
    }

    private static ObjectKey clusterOf(ObjectKey secret) {
        return new ObjectKey(
                secret.namespace(), secret.name().substring(0, secret.name().length() - SUFFIX.length()));
    }

    private Outcome connect(ObjectKey key) {
        Optional<Cluster> cluster = management.clusters().get(key);
        Optional<PartialObject> secret =
                management.secrets().get(new ObjectKey(key.namespace(), key.name() + SUFFIX));
        if (cluster.isEmpty() || secret.isEmpty()) {
            disconnect(key);
            forget(key);
            return cluster.isEmpty() ? Outcome.DONE : Outcome.waitingFor("Secret " + key.name() + SUFFIX);
        }
        if (secret.get().metadata().resourceVersion().equals(readSecrets.get(key))) {
            return Outcome.DONE;
        }
        KubeconfigSecret read = read(secret.get().key());
        Optional<String> defect = switch (SecretKubeconfig.judge(read.value())) {
            case SecretKubeconfig.Refused refused -> Optional.of(refused.defect());
            case SecretKubeconfig.Accepted accepted -> connect(key, accepted.kubeconfig());
        };
        readSecrets.put(key, read.metadata().resourceVersion());
        refuse(cluster.get(), read, defect);
        return Outcome.DONE;
    }

    private KubeconfigSecret read(ObjectKey secret) {
        try {
            return Projection.KUBECONFIG_SECRET.read(management.server().get(Resources.SECRETS, secret));
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Secret " + secret, "the reply is no JSON object", e);
        }
    }

    /** Returns a defect that only the client library found. */
    private Optional<String> connect(ObjectKey key, String kubeconfig) {
        WorkloadCluster before = connected.get(key);
        if (before != null && before.connectedBy(kubeconfig)) {
            return Optional.empty();
        }
        try {
            WorkloadCluster cluster = new WorkloadCluster(
                    key,
                    kubeconfig,
                    connections.workload(kubeconfig),
                    observe,
                    meters,
                    timers,
                    failure -> {});
            disconnect(key);
            connected.put(key, cluster);
            cluster.nodes().whenSynced(() -> tell(key, cluster));
            cluster.start();
            LOG.atInfo().addKeyValue("Cluster", key).log("connected");
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    // Only now: while Nodes are still coming in, one of two with the same providerID may not have been seen.
    private void tell(ObjectKey key, WorkloadCluster cluster) {
        cluster.nodes()
                .subscribe((before, after) -> listeners.forEach(listener -> listener.changed(key, before, after)));
    }

    private void refuse(Cluster cluster, KubeconfigSecret secret, Optional<String> defect) {
        Event.Regarding regarding = new Event.Regarding(
                management.clusterApiVersion(),
                "Cluster",
                cluster.key(),
                cluster.metadata().uid(),
                cluster.metadata().resourceVersion());
        warnings.report(
                "cluster",
                regarding,
                defect.map(d -> Map.of("KubeconfigRefused", "Secret " + secret.key() + ": " + d)).orElse(Map.of()));
        if (defect.isPresent()) {
            refused.put(cluster.key(), regarding);
            disconnect(cluster.key());
            readSecrets.put(cluster.key(), secret.metadata().resourceVersion());
        }
    }

    private void forget(ObjectKey key) {
        Event.Regarding regarding = refused.remove(key);
        if (regarding != null) {
            warnings.report("cluster", regarding, Map.of());
        }
    }

    private void disconnect(ObjectKey key) {
        readSecrets.remove(key);
        WorkloadCluster cluster = connected.remove(key);
        if (cluster != null) {
            cluster.close();
            LOG.atInfo().addKeyValue("Cluster", key).log("disconnected");
        }
    }

    @Override
    public void close() throws InterruptedException {
        controller.stop(Duration.ofSeconds(5));
        List<Thread> closing = new ArrayList<>();
        for (ObjectKey key : connected.keySet()) { // all at once: one that hangs takes its time
            closing.add(Thread.ofVirtual().name("nodeward-close " + key).start(() -> disconnect(key)));
        }
        for (Thread thread : closing) {
            thread.join();
        }
    }
}
