package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineView;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.controller.Withheld;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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

    private final HomeCluster home;
    private final String watchFilter;
    private final List<String> namespaces;
    private final Timers timers;
    /** What somebody has asked for. */
    private final CopyOnWriteArrayList<ClusterApiKind<?>> kinds = new CopyOnWriteArrayList<>();
    private final ClusterApiKind<Cluster> clusters;
    private final ClusterApiKind<Machine> machines;
    private final ObjectCache<PartialObject> secrets;
    private volatile boolean secretsAsked;
    private volatile boolean started;
    private volatile @Nullable ClusterApiWatches watches;

    /**
     * Of the home cluster, which is closed with this.
     *
     * @param watchFilter value of the watch-filter label that Clusters and Machines must have; empty for all
     * @param namespaces of all that is read here; one empty name for all
     */
    public ManagementCluster(HomeCluster home, String watchFilter, List<String> namespaces, Timers timers) {
        this.home = home;
        this.watchFilter = watchFilter;
        this.namespaces = List.copyOf(namespaces);
        if (namespaces.isEmpty()) {
            throw new IllegalArgumentException("nothing is to be read: all namespaces are one empty name");
        }
        this.timers = timers;
        HeapBudget budget = home.budget();
        this.clusters = new ClusterApiKind<>("clusters", Projection.CLUSTER, new ObjectCache<>(budget), true, false);
        this.machines = new ClusterApiKind<>("machines", Projection.MACHINE,
                new ObjectCache<>(budget, BY_CLUSTER, BY_PROVIDER_ID, BY_NODE_NAME, BY_POOL), true, false);
        this.secrets = new ObjectCache<>(budget);
    }

    /** Where no other kinds are watched. */
    public ManagementCluster(ApiServer server, String watchFilter, Timers timers) {
        this(new HomeCluster(server, timers), watchFilter, List.of(""), timers);
    }

    /** The value to find by where names and ids are those of one Cluster. */
    public static String inCluster(ObjectKey cluster, String value) {
        return cluster + " " + value;
    }

    HomeCluster home() {
        return home;
    }

    public ApiServer server() {
        return home.server();
    }

    /** See {@link HomeCluster#informers}. */
    public Informers informers() {
        return home.informers();
    }

    /** Those whose objects are read; one empty name for all. */
    List<String> namespaces() {
        return namespaces;
    }

    /** Returns the version in which a kind is watched: during an upgrade of Cluster API not the same for all. */
    public String version(String plural) {
        ClusterApiWatches all = watches;
        String watched = all == null ? "" : all.version(plural);
        return watched.isEmpty() ? ClusterApiDiscovery.NEWEST : watched;
    }

    /**
     * Returns when a removal of taints is planned anew, and what to report if that lasts, because an object that was read for it may be there
     * in a newer version, in which it declares them; empty if it is removed now.
     *
     * @param removal what is removed where, compared by value
     * @param plurals the kinds of the objects that were read
     */
    public Optional<Withheld> untilNewest(Object removal, Set<String> plurals) {
        ClusterApiWatches all = watches;
        return all == null ? Optional.empty() : all.untilNewest(removal, plurals);
    }

    /** All Clusters, which are watched if somebody asks for them before {@link #start}. */
    public ObjectCache<Cluster> clusters() {
        return asked(clusters);
    }

    /** All Machines, which are watched if somebody asks for them before {@link #start}. */
    public ObjectCache<Machine> machines() {
        return asked(machines);
    }

    /** @throws IllegalStateException if it is too late to ask: the cache would stay empty */
    private <T extends KubernetesObject> ObjectCache<T> asked(ClusterApiKind<T> kind) {
        if (started && !kinds.contains(kind)) {
            throw new IllegalStateException("nobody asked for " + kind.plural() + " before the start");
        }
        kinds.addIfAbsent(kind);
        return kind.cache();
    }

    /** Asks for what workload clusters are connected by: Clusters, and the metadata of their Secrets. */
    void watchConnections() {
        asked(clusters);
        secretsAsked = true;
    }

    @Override
    public List<Machine> machinesByProviderId(ObjectKey cluster, String providerId) {
        return machines().find(BY_PROVIDER_ID, inCluster(cluster, providerId));
    }

    @Override
    public List<Machine> machinesByNodeName(ObjectKey cluster, String node) {
        return machines().find(BY_NODE_NAME, inCluster(cluster, node));
    }

    @Override
    public boolean hasMachines(ObjectKey pool) {
        return machines().has(BY_POOL, pool.toString());
    }

    /** How many Machines are of this MachinePool. */
    public int countMachines(ObjectKey pool) {
        return machines().count(BY_POOL, pool.toString());
    }

    /** Secrets of clusters, by their metadata: credentials are read one by one, when a cluster is connected. */
    ObjectCache<PartialObject> secrets() {
        return secrets;
    }

    /** What of all that was asked for has not been seen yet; empty if nothing is missing. */
    public Optional<String> unsynced() {
        return kinds.stream().flatMap(kind -> unseen(kind.plural(), kind.cache()).stream()).findFirst()
                .or(() -> secretsAsked ? unseen("secrets", secrets) : Optional.empty());
    }

    private static Optional<String> unseen(String plural, ObjectCache<?> cache) {
        List<String> namespaces = cache.unlisted();
        return cache.synced() ? Optional.empty()
                : Optional.of(plural + " of the management cluster have not been seen yet"
                        + (namespaces.isEmpty() ? "" : " in " + String.join(", ", namespaces)));
    }

    /** Runs {@code task} once, on a thread of its own, when all that was asked for so far has been seen. */
    public void whenSynced(Runnable task) {
        CacheSync.whenSynced(Stream.<ObjectCache<?>>concat(kinds.stream().map(ClusterApiKind::cache),
                Stream.of(secrets).filter(cache -> secretsAsked)).toList(), task);
    }

    /** How many objects there are of each kind of Cluster API that was asked for, by plural. */
    public Map<String, Integer> sizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        kinds.forEach(kind -> sizes.put(kind.plural(), kind.cache().size()));
        return sizes;
    }

    /**
     * Watches one more kind of Cluster API, of those with the watch-filter label if there is one; to be called before
     * {@link #start}. Where the kind is not served the cache is empty, until it is. One that is served no more keeps its
     * objects for a minute, as in an upgrade it comes back.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ObjectCache<T> watch(
            String plural, Projection<T> projection, Index<T>... indexes) {
        return asked(new ClusterApiKind<>(plural, projection, new ObjectCache<>(home.budget(), indexes), true, true));
    }

    /** As {@link #watch}, with or without the watch-filter label: of a kind that the Clusters of several managers share. */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ObjectCache<T> watchAll(
            String plural, Projection<T> projection, Index<T>... indexes) {
        return asked(new ClusterApiKind<>(plural, projection, new ObjectCache<>(home.budget(), indexes), false, true));
    }

    /**
     * Finds out what is served and starts watching; returns before anything has been seen. Where nobody has asked for any
     * kind, Cluster API need not be there, and nothing is sent.
     */
    public void start() {
        started = true;
        if (!kinds.isEmpty()) {
            ClusterApiWatches all = new ClusterApiWatches(home, watchFilter, namespaces, timers, kinds);
            watches = all;
            all.start(this::watchSecrets);
        }
    }

    private void watchSecrets() {
        if (secretsAsked) {
            informers().start(informers().informers(namespaces, new ListWatch<>("secrets", server(), Resources.SECRETS,
                    ClusterApi.CLUSTER_NAME_LABEL, true, Projection.IDENTITY), secrets,
                    namespace -> ReflectorListener.NONE));
        }
    }

    @Override
    public void close() {
        ClusterApiWatches open = watches;
        if (open != null) {
            open.close();
        }
        home.close();
    }
}
