package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster where Cluster API's objects are: Clusters, Machines and the kubeconfig Secrets, as last seen. */
public final class ManagementCluster implements AutoCloseable {
    /** Machines by {@code namespace/cluster}. */
    public static final Index<Machine> BY_CLUSTER = Index.of("cluster", m -> m.cluster().toString());
    /** Machines by cluster and providerID; a Machine without one is left out. */
    public static final Index<Machine> BY_PROVIDER_ID =
            Index.of("providerID", m -> m.providerId().isEmpty() ? "" : inCluster(m.cluster(), m.providerId()));
    /** Machines by cluster and name of their Node; a Machine without one is left out. */
    public static final Index<Machine> BY_NODE_NAME =
            Index.of("nodeName", m -> m.nodeName().isEmpty() ? "" : inCluster(m.cluster(), m.nodeName()));

    private static final Logger LOG = LoggerFactory.getLogger(ManagementCluster.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(15));

    private final ApiServer server;
    private final String watchFilter;
    private final Timers timers;
    private final ObjectCache<Cluster> clusters = new ObjectCache<>();
    private final ObjectCache<Machine> machines = new ObjectCache<>(BY_CLUSTER, BY_PROVIDER_ID, BY_NODE_NAME);
    private final ObjectCache<PartialObject> secrets = new ObjectCache<>();
    private final List<Reflector<?>> reflectors = new CopyOnWriteArrayList<>();
    /** Those of {@link #reflectors} that watch one version of Cluster API. */
    private final List<Reflector<?>> clusterApi = new CopyOnWriteArrayList<>();
    private final AtomicBoolean discovering = new AtomicBoolean();
    private volatile @Nullable Thread discovery;
    private volatile String version = "v1beta2";
    /** An upgrade of Cluster API may end the version we watch. */
    private final ReflectorListener upgrades = new ReflectorListener() {
        @Override
        public void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed) {
                discoverAgain();
            }
        }
    };

    private volatile boolean closed;

    /** @param watchFilter value of the watch-filter label that Clusters and Machines must bear; empty for all */
    public ManagementCluster(ApiServer server, String watchFilter, Timers timers) {
        this.server = server;
        this.watchFilter = watchFilter;
        this.timers = timers;
    }

    /** The value to find by in {@link #BY_PROVIDER_ID} and {@link #BY_NODE_NAME}. */
    public static String inCluster(ObjectKey cluster, String value) {
        return cluster + " " + value;
    }

    public ApiServer server() {
        return server;
    }

    /** Version of Clusters and Machines that is watched here. */
    String version() {
        return version;
    }

    public ObjectCache<Cluster> clusters() {
        return clusters;
    }

    public ObjectCache<Machine> machines() {
        return machines;
    }

    /** Secrets of clusters, by their metadata: credentials are read one by one, when a cluster is connected. */
    ObjectCache<PartialObject> secrets() {
        return secrets;
    }

    public boolean synced() {
        return clusters.synced() && machines.synced() && secrets.synced();
    }

    /** Runs {@code task} once, on a thread of its own, when all caches have been filled. */
    public void whenSynced(Runnable task) {
        AtomicBoolean ran = new AtomicBoolean();
        Runnable check = () -> {
            if (synced() && ran.compareAndSet(false, true)) {
                Thread.ofVirtual().name("nodeward-start").start(task);
            }
        };
        List.of(clusters, machines, secrets).forEach(cache -> cache.whenSynced(check));
    }

    /** Finds out what is served and starts watching; returns before anything has been seen. */
    public void start() {
        discover(() -> {
            watchClusterApi();
            reflect("secrets", Resources.SECRETS, ClusterApi.CLUSTER_NAME_LABEL, true, Projection.METADATA, secrets,
                    ReflectorListener.NONE);
        });
    }

    /** Finds the newest version we read on a thread of its own, however long that takes, and runs {@code found}. */
    private void discover(Runnable found) {
        if (closed || !discovering.compareAndSet(false, true)) {
            return;
        }
        Thread started = Thread.ofVirtual().name("nodeward-discovery").unstarted(() -> {
            for (int failures = 1; !closed; failures++) {
                try {
                    version = newest(Replies.groupVersions(server.get("/apis/" + ClusterApi.GROUP)));
                    break;
                } catch (ApiFailure | IOException e) {
                    Duration delay = BACKOFF.delay(failures);
                    LOG.warn("{} is not to be had yet: {}; again in {} ms", ClusterApi.GROUP, e.getMessage(),
                            delay.toMillis());
                    pause(delay);
                }
            }
            discovering.set(false);
            if (!closed) {
                found.run();
            }
        });
        discovery = started;
        started.start();
    }

    private void discoverAgain() {
        String watched = version;
        discover(() -> {
            if (!version.equals(watched)) {
                LOG.info("{}/{} is served no more; watching {}", ClusterApi.GROUP, watched, version);
                clusterApi.forEach(Reflector::close);
                clusterApi.clear();
                watchClusterApi();
            }
        });
    }

    private static String newest(List<String> versions) throws IOException {
        for (String known : List.of("v1beta2", "v1beta1")) {
            if (versions.contains(known)) {
                return known;
            }
        }
        throw new IOException("served are " + versions + ", Nodeward reads v1beta2 and v1beta1");
    }

    private void watchClusterApi() {
        String filter = watchFilter.isEmpty() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        clusterApi.add(reflect(
                "clusters", Resources.clusters(version), filter, false, Projection.CLUSTER, clusters,
                upgrades));
        clusterApi.add(reflect(
                "machines", Resources.machines(version), filter, false, Projection.MACHINE, machines,
                upgrades));
    }

    private <T extends KubernetesObject> Reflector<T> reflect(
            String name,
            Resource resource,
            String selector,
            boolean metadataOnly,
            Projection<T> projection,
            ObjectCache<T> cache,
            ReflectorListener listener) {
        Source<T> source = new Source<>(name, server, resource, selector, metadataOnly, projection);
        Reflector<T> reflector = new Reflector<>(source, cache, ReflectorSettings.DEFAULT, timers, listener);
        reflectors.add(reflector);
        reflector.start();
        if (closed) {
            reflector.close();
        }
        return reflector;
    }

    private void pause(Duration delay) {
        try {
            Thread.sleep(delay);
        } catch (InterruptedException e) {
            closed = true; // nobody else interrupts
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread running = discovery;
        if (running != null) {
            running.interrupt();
        }
        reflectors.forEach(Reflector::close);
        server.close();
    }
}
