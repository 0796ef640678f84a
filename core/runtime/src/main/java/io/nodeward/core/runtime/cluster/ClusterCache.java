package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * Connects every Cluster that is ready and whose kubeconfig Secret is there, keeps it connected while credentials and
 * addresses change, and drops it when it goes. A cluster that cannot be reached or whose kubeconfig is refused troubles
 * no other; its Cluster says so in a condition.
 */
public final class ClusterCache implements NodeListers, ObjectWriter, AutoCloseable {
    private static final int WORKERS = 8;

    private final ManagementCluster management;
    private final ConnectionFactory connections;
    private final KubeconfigSecrets secrets;
    private final ObjectStatus<ObjectKey> status;
    private final Timers timers;
    private final WriteMeters meters;
    private final ReconcileLoop<ObjectKey> loop;
    private final Map<ObjectKey, ClusterAccessor> accessors = new ConcurrentHashMap<>();
    private final List<WorkloadListener<Node>> listeners = new CopyOnWriteArrayList<>();

    /** @param connections with the backend and the limits */
    public ClusterCache(
            ManagementCluster management,
            ConnectionFactory connections,
            EventRecorder events,
            Conditions conditions,
            Timers timers,
            MeterRegistry registry) {
        this.management = management;
        this.connections = connections;
        this.secrets = new KubeconfigSecrets(management.server(), connections.settings().policy());
        this.status = new ObjectStatus<>(
                key -> new ObjectId("Cluster", key), ControllerContext.fieldManager("cluster"), conditions,
                events);
        this.timers = timers;
        this.meters = new WriteMeters(registry);
        this.loop = new ReconcileLoop<>(
                "cluster", key -> "", WORKERS, key -> key, this::reconcile, timers, registry);
        Gauge.builder("nodeward.clusters.connected", this, clusters -> clusters.connected().count())
                .description("Workload clusters connected").register(registry);
        Gauge.builder("nodeward.clusters.available", this, clusters -> clusters.available().count())
                .description("Workload clusters that answer and whose Nodes have all been seen").register(registry);
        Gauge.builder("nodeward.clusters.blocked", status, ObjectStatus::size)
                .description("Clusters that a Warning was written on and that are still blocked").register(registry);
        Gauge.builder("nodeward.nodes", this, ClusterCache::countNodes)
                .description("Nodes seen in all workload clusters").register(registry);
    }

    private Stream<WorkloadCluster> connected() {
        return accessors.values().stream().flatMap(accessor -> accessor.cluster().stream());
    }

    private Stream<WorkloadCluster> available() {
        return connected().filter(WorkloadCluster::available);
    }

    private double countNodes() {
        return connected().mapToInt(c -> c.nodes().size()).sum();
    }

    @Override
    public Optional<WorkloadCluster> find(ObjectKey cluster) {
        return Optional.ofNullable(accessors.get(cluster)).flatMap(ClusterAccessor::cluster)
                .filter(WorkloadCluster::available);
    }

    /** Of a change in a workload cluster. */
    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        ObjectKey key = change.cluster().orElseThrow();
        return find(key).map(cluster -> cluster.apply(change, fieldManager, again))
                .orElseGet(() -> new Applied.Unavailable(NodeListers.awaited(key)));
    }

    @Override
    public void subscribe(WorkloadListener<Node> listener) {
        management.watchConnections();
        listeners.add(listener);
    }

    /**
     * Connects clusters as soon as Clusters and Secrets have been seen, if anybody listens. No other kind is waited for:
     * one that may not be read would keep all clusters unconnected.
     */
    public void startWhenSynced() {
        if (!listeners.isEmpty()) {
            CacheSync.whenSynced(List.of(management.clusters(), management.secrets()), this::start);
        }
    }

    public void start() {
        management.clusters()
                .subscribe((before, after) -> loop.queue().add(MapFunction.latest(before, after).key()));
        management.home().whenHeapRecovers(() -> accessors.forEach((key, accessor) -> {
            accessor.retryTooLarge();
            loop.queue().add(key);
        }));
        management.secrets().subscribe((before, after) -> KubeconfigSecrets
                .clusterOf(MapFunction.latest(before, after).key()).ifPresent(loop.queue()::add));
        loop.start();
    }

    /** Whether all queued Clusters are reconciled and no probe is running that may queue another. */
    public boolean isIdle() {
        // First: what a probe brings about waits or is in hand before the probe is over.
        return connected().noneMatch(WorkloadCluster::probing) && loop.isIdle();
    }

    private Result reconcile(ObjectKey key) {
        Optional<Cluster> cluster = management.clusters().get(key);
        Optional<PartialObject> secret = management.secrets().get(KubeconfigSecrets.secretOf(key));
        if (cluster.isEmpty() || secret.isEmpty()) {
            Optional.ofNullable(accessors.remove(key)).ifPresent(ClusterAccessor::letGo);
        }
        if (cluster.isEmpty()) {
            status.forget(key);
            return Result.done();
        }
        Optional<String> awaited = awaited(cluster.get(), secret);
        if (awaited.isPresent()) {
            report(cluster.get(), Optional.empty());
            return Result.waiting(awaited.get());
        }
        ClusterAccessor accessor = accessors.computeIfAbsent(
                key, k -> new ClusterAccessor(k, secrets, connections, transport -> connect(k, transport), timers));
        accessor.follow(cluster.get(), secret.map(s -> s.metadata().resourceVersion()).orElse(""));
        if (accessor.becameAvailable()) {
            listeners.forEach(listener -> listener.available(key));
        }
        Optional<Outcome.NotWritten> blocked = accessor.blocked();
        if (blocked.isEmpty() && find(key).isEmpty()) {
            status.unknown(key);
            return Result.waiting("the first Nodes"); // nothing is known yet: what was said stays said
        }
        Duration left = report(cluster.get(), blocked);
        Duration until = accessor.renewsIn().filter(renews -> left.isZero() || renews.compareTo(left) < 0).orElse(left);
        return blocked.map(outcome -> Result.blocked(outcome.by(), until)).orElse(Result.done());
    }

    private Duration report(Cluster cluster, Optional<Outcome.NotWritten> blocked) {
        if (cluster.pauses(cluster.metadata())) {
            return Duration.ZERO;
        }
        // The control plane of a Cluster that is being deleted goes before it does.
        Outcome outcome = blocked.filter(by -> !cluster.metadata().deleting()).<Outcome>map(by -> by)
                .orElseGet(() -> new Outcome.InEffect(List.of(), Optional.empty()));
        return status.report(cluster.key(), Target.of(management.version("clusters"), cluster), outcome);
    }

    /** What must be there before a connection is worth a try; a connection that stands is not given up for it. */
    private Optional<String> awaited(Cluster cluster, Optional<PartialObject> secret) {
        if (secret.isEmpty()) {
            return Optional.of("Secret " + KubeconfigSecrets.secretOf(cluster.key()));
        }
        if (accessors.containsKey(cluster.key())) {
            return Optional.empty();
        }
        return switch (cluster.initialization()) {
            case AWAITING_INFRASTRUCTURE -> Optional.of("the infrastructure of the Cluster");
            case AWAITING_CONTROL_PLANE -> Optional.of("the control plane of the Cluster");
            case NOT_REPORTED, INITIALIZED -> Optional.empty();
        };
    }

    private WorkloadCluster connect(ObjectKey key, Transport transport) {
        Runnable changed = () -> loop.queue().add(key);
        WorkloadCluster cluster =
                new WorkloadCluster(key, transport, connections, management.home().budget(), meters, timers, changed);
        // Only now: while Nodes are still coming in, one of two with the same providerID may not have been seen.
        cluster.nodes().whenSynced(() -> {
            // One for each: the cache keeps the failure of one from the others.
            listeners.forEach(listener -> cluster.nodes()
                    .subscribeToChanges((before, after) -> listener.changed(key, before, after)));
            changed.run();
        });
        try {
            cluster.start();
        } catch (RuntimeException | Error e) { // as of a process that may start no more threads: the next try makes another
            cluster.close();
            throw e;
        }
        return cluster;
    }

    @Override
    public void close() throws InterruptedException {
        try {
            loop.stop(Duration.ofSeconds(5));
        } finally { // all at once: one that hangs takes its time
            List<Thread> closing = accessors.values().stream().flatMap(accessor -> accessor.letGo().stream()).toList();
            for (Thread thread : closing) {
                thread.join();
            }
        }
    }
}
