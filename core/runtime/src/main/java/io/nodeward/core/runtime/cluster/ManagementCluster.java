package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineView;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cluster.ClusterApiDiscovery.Served;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The cluster where Cluster API's objects are: Clusters, Machines and the kubeconfig Secrets, as last seen. */
public final class ManagementCluster implements MachineView, AutoCloseable {
    /** Machines by {@code namespace/cluster}. */
    public static final Index<Machine> BY_CLUSTER = Index.of("cluster", m -> m.cluster().toString());
    /** By cluster and providerID; a Machine without one is left out. */
    private static final Index<Machine> BY_PROVIDER_ID =
            Index.of("providerID", m -> m.providerId().isEmpty() ? "" : inCluster(m.cluster(), m.providerId()));
    /** By cluster and name of their Node; a Machine without one is left out. */
    private static final Index<Machine> BY_NODE_NAME =
            Index.of("nodeName", m -> m.nodeName().isEmpty() ? "" : inCluster(m.cluster(), m.nodeName()));

    /** By {@code namespace/name} of their MachinePool; those of none are left out. */
    private static final Index<Machine> BY_POOL = Index.of("pool", m -> m.pool().map(ObjectKey::toString).orElse(""));

    private static final Logger LOG = LoggerFactory.getLogger(ManagementCluster.class);
    /** Clusters and Machines, without which there is nothing to do. */
    private static final int BUILT_IN = 2;
    /** For a kind that is not served: who installs it later waits so long. */
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);

    private final ApiServer server;
    private final String watchFilter;
    private final Timers timers;
    private final List<Kind<?>> kinds = new CopyOnWriteArrayList<>();
    private final ObjectCache<Cluster> clusters = watch("clusters", Projection.CLUSTER);
    private final ObjectCache<Machine> machines =
            watch("machines", Projection.MACHINE, BY_CLUSTER, BY_PROVIDER_ID, BY_NODE_NAME, BY_POOL);
    private final ObjectCache<PartialObject> secrets = new ObjectCache<>();
    private final Informers informers;
    /** Those that watch one version of Cluster API; controllers may read one kind in several ways. */
    private final Map<Kind<?>, Informer<?>> clusterApi = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile ClusterApiDiscovery discovery;
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

    private record Kind<T extends KubernetesObject>(
            String plural, Projection<T> projection, ObjectCache<T> cache, boolean filtered) {}

    /** @param watchFilter value of the watch-filter label that Clusters and Machines must bear; empty for all */
    public ManagementCluster(ApiServer server, String watchFilter, Timers timers) {
        this.server = server;
        this.watchFilter = watchFilter;
        this.timers = timers;
        this.informers = new Informers(timers);
        this.discovery = new ClusterApiDiscovery(server, false, timers);
    }

    /** The value to find by where names and ids are those of one Cluster. */
    public static String inCluster(ObjectKey cluster, String value) {
        return cluster + " " + value;
    }

    public ApiServer server() {
        return server;
    }

    /** The watches of this cluster: what is read here already is not sent again. */
    public Informers informers() {
        return informers;
    }

    /** Version of Clusters and Machines that is watched here. */
    public String version() {
        return version;
    }

    public ObjectCache<Cluster> clusters() {
        return clusters;
    }

    public ObjectCache<Machine> machines() {
        return machines;
    }

    @Override
    public List<Machine> machinesByProviderId(ObjectKey cluster, String providerId) {
        return machines.find(BY_PROVIDER_ID, inCluster(cluster, providerId));
    }

    @Override
    public List<Machine> machinesByNodeName(ObjectKey cluster, String node) {
        return machines.find(BY_NODE_NAME, inCluster(cluster, node));
    }

    @Override
    public boolean hasMachines(ObjectKey pool) {
        return machines.has(BY_POOL, pool.toString());
    }

    /** How many Machines are of this MachinePool. */
    public int countMachines(ObjectKey pool) {
        return machines.count(BY_POOL, pool.toString());
    }

    /** Secrets of clusters, by their metadata: credentials are read one by one, when a cluster is connected. */
    ObjectCache<PartialObject> secrets() {
        return secrets;
    }

    public boolean synced() {
        return secrets.synced() && kinds.stream().allMatch(kind -> kind.cache().synced());
    }

    /** Runs {@code task} once, on a thread of its own, when all caches have been filled. */
    public void whenSynced(Runnable task) {
        AtomicBoolean ran = new AtomicBoolean();
        Runnable check = () -> {
            if (synced() && ran.compareAndSet(false, true)) {
                Thread.ofVirtual().name("nodeward-start").start(task);
            }
        };
        kinds.forEach(kind -> kind.cache().whenSynced(check));
        secrets.whenSynced(check);
    }

    /**
     * Watches one more kind of Cluster API, of those with the watch-filter label if there is one; to be called before
     * {@link #start}. Where the kind is not served the cache stays empty, until it is.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ObjectCache<T> watch(
            String plural, Projection<T> projection, Index<T>... indexes) {
        ObjectCache<T> cache = new ObjectCache<>(indexes);
        kinds.add(new Kind<>(plural, projection, cache, true));
        return cache;
    }

    /** As {@link #watch}, with or without the watch-filter label: of a kind that the Clusters of several managers share. */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ObjectCache<T> watchAll(
            String plural, Projection<T> projection, Index<T>... indexes) {
        ObjectCache<T> cache = new ObjectCache<>(indexes);
        kinds.add(new Kind<>(plural, projection, cache, false));
        return cache;
    }

    /** Finds out what is served and starts watching; returns before anything has been seen. */
    public void start() {
        discovery = new ClusterApiDiscovery(server, kinds.size() > BUILT_IN, timers);
        discovery.find(served -> {
            watchClusterApi(served);
            informers.informer(new Source<>("secrets", server, Resources.SECRETS, ClusterApi.CLUSTER_NAME_LABEL, true,
                    Projection.METADATA), secrets, ReflectorListener.NONE).start();
        });
    }

    private void discoverAgain() {
        discovery.find(served -> {
            if (!served.version().equals(version)) {
                LOG.info("{}/{} is served no more; watching {}", ClusterApi.GROUP, version, served.version());
                clusterApi.values().forEach(Informer::close);
                clusterApi.clear();
            }
            watchClusterApi(served);
        });
    }

    private void watchClusterApi(Served served) {
        version = served.version();
        boolean all = true;
        List<Informer<?>> starting = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            boolean optional = kinds.indexOf(kind) >= BUILT_IN;
            if (!optional || served.plurals().contains(kind.plural())) {
                clusterApi.computeIfAbsent(kind, k -> {
                    Informer<?> informer = informer(k);
                    starting.add(informer);
                    return informer;
                });
            } else {
                all = false;
                Informer<?> before = clusterApi.remove(kind);
                if (before != null) {
                    before.close(); // should the kind come back, it begins anew
                }
                kind.cache().retainNothing();
            }
        }
        informers.start(starting);
        if (!all && looking.compareAndSet(false, true)) {
            timers.after(UNTIL_NEXT_LOOK, () -> {
                looking.set(false);
                discoverAgain();
            });
        }
    }

    private <T extends KubernetesObject> Informer<T> informer(Kind<T> kind) {
        String filter =
                watchFilter.isEmpty() || !kind.filtered() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        Resource resource = new Resource(ClusterApi.GROUP, version, kind.plural(), true);
        return informers.informer(new Source<>(kind.plural(), server, resource, filter, false, kind.projection()),
                kind.cache(), upgrades);
    }

    @Override
    public void close() {
        discovery.close();
        informers.close();
        server.close();
    }
}
