package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.WatchedStream;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster that the process runs against: its API server, and the objects of the kinds that controllers ask for. It needs
 * nothing of Cluster API; with that, it is the management cluster as well.
 */
public final class HomeCluster implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HomeCluster.class);
    private static final int PAGE = 500;
    /** How often it looks whether there is memory again for objects of which less is kept. */
    private static final Duration RECOVERY = Duration.ofMinutes(1);

    private final ApiServer server;
    private final Timers timers;
    private final Informers informers;
    private final HeapBudget budget;
    private final List<Kind<?>> kinds = new CopyOnWriteArrayList<>();
    private final List<OwnKind> ownKinds = new CopyOnWriteArrayList<>();
    private final List<Runnable> heapRecovers = new CopyOnWriteArrayList<>();
    private volatile boolean started;
    private boolean closed;

    /** Without metrics. */
    public HomeCluster(ApiServer server, Timers timers) {
        this(server, HeapBudget.ofProcess(new SimpleMeterRegistry()), timers);
    }

    /** @param budget for the objects of its namespaces and for those of workload clusters */
    public HomeCluster(ApiServer server, HeapBudget budget, Timers timers) {
        this.server = server;
        this.budget = budget;
        this.timers = timers;
        this.informers = new Informers(timers);
    }

    HeapBudget budget() {
        return budget;
    }

    public ApiServer server() {
        return server;
    }

    /** The watches of this cluster: what is read here already is not sent again. */
    public Informers informers() {
        return informers;
    }

    /**
     * Watches all objects of a kind of any group; to be called before {@link #start}. While the kind is not served, or the
     * right to list and watch it is missing, who reads it does not start, and the watch is tried again.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ObjectCache<T> watch(
            Resource resource, Projection<T> projection, Index<T>... indexes) {
        if (started) {
            throw new IllegalStateException("nobody asked for " + resource.plural() + " before the start");
        }
        Kind<T> kind = kind(resource, projection, new ObjectCache<>(budget, indexes), ReflectorListener.NONE);
        kinds.add(kind);
        return kind.cache;
    }

    /** The ConfigMap, or what else, that the process reads before it writes; it need not be there. */
    <T extends KubernetesObject> ObjectCache<T> watch(
            Resource resource, ObjectKey only, Projection<T> projection, ReflectorListener listener) {
        Kind<T> kind =
                new Kind<>(
                        new ListWatch<>(resource.plural() + " " + only + ", before which nothing is written,", server,
                                resource, only.namespace(), only.name(), "", false, projection),
                        new ObjectCache<>(), listener);
        kinds.add(kind);
        return kind.cache;
    }

    /** As above, all objects of a kind of our own. */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <S> ObjectCache<CustomResource<S>> watch(
            CustomResourceDefinition definition,
            Projection<CustomResource<S>> projection,
            Index<CustomResource<S>>... indexes) {
        ObjectCache<CustomResource<S>> cache = watch(Resource.of(definition), projection, indexes);
        ownKinds.add(new OwnKind(definition, cache));
        return cache;
    }

    /** A kind of our own, and its objects. */
    record OwnKind(CustomResourceDefinition definition, ObjectCache<? extends CustomResource<?>> cache) {}

    /** The kinds of our own that controllers have asked for. */
    List<OwnKind> ownKinds() {
        return List.copyOf(ownKinds);
    }

    /** Which right is missing to fill one of these caches; empty if none is known to be. */
    Optional<String> missingRight(Collection<ObjectCache<?>> caches) {
        return kinds.stream().filter(kind -> caches.contains(kind.cache) && !kind.cache.synced() && kind.isForbidden())
                .findFirst().map(Kind::unsynced);
    }

    /** Asks for one object now: for who cannot wait until a watch brings it. Empty if there is none. */
    public <T extends KubernetesObject> Optional<T> read(Resource resource, Projection<T> projection, ObjectKey key) {
        return read(resource, key, projection::read);
    }

    /** As above, all of it. */
    public Optional<Tree> read(Resource resource, ObjectKey key) {
        return read(resource, key, Trees::read);
    }

    /** How an object is made of its JSON. */
    @FunctionalInterface
    private interface Reading<T> {
        T of(byte[] json) throws IOException;
    }

    private <T> Optional<T> read(Resource resource, ObjectKey key, Reading<T> reading) {
        try {
            return Optional.of(reading.of(server.get(resource, key)));
        } catch (ApiFailure.NotFound none) {
            return Optional.empty();
        } catch (IOException e) { // its text may have a piece of the reply, which may be a Secret
            throw ApiFailure.unreachable("GET of " + resource.plural() + " " + key, "the reply is no JSON object",
                    new IOException());
        }
    }

    /** Returns all objects of a kind of our own, as {@link #listReadable} has them. */
    public <S> List<CustomResource<S>> listOwn(
            CustomResourceDefinition definition, Projection<CustomResource<S>> projection) {
        List<CustomResource<S>> all = new ArrayList<>();
        listReadable(Resource.of(definition), "", "", projection, all::add);
        return all;
    }

    /**
     * Lists objects once, page by page: for who needs no watch. There are none if the kind is not served or the process may not
     * list it, as where the controller has never run and its role is not bound.
     *
     * @param selector of labels; empty for all
     */
    <T extends KubernetesObject> void listReadable(
            Resource resource, String namespace, String selector, Projection<T> projection, Consumer<T> each) {
        try {
            list(resource, namespace, ListOptions.page(selector, PAGE, ""), projection, each);
        } catch (ApiFailure.NotServed | ApiFailure.Forbidden none) {
            LOG.debug("{} are not known: {}", resource.plural(), none.getMessage());
        }
    }

    /** As {@link #listReadable}; a kind that cannot be listed is a failure. */
    public <T extends KubernetesObject> void list(
            Resource resource, String namespace, ListOptions options, Projection<T> projection, Consumer<T> each) {
        String next = "";
        do {
            try (WatchedStream page = new WatchedStream(
                    server.list(resource, namespace, options.withContinueToken(next)),
                    ReflectorSettings.DEFAULT.silence(), timers)) {
                next = ListPage.read(page, projection, each).continueToken();
            } catch (IOException e) {
                throw ApiFailure.unreachable("list of " + resource.plural(), "the answer was cut", e);
            }
        } while (!next.isEmpty());
    }

    /**
     * Lists the objects of a namespace that have these fields, page by page.
     *
     * @param fields as the API server selects them, such as {@code spec.nodeName=}
     * @throws ApiFailure if the kind cannot be listed
     */
    public <T extends KubernetesObject> void listWhere(
            Resource resource, String namespace, String fields, Projection<T> projection, Consumer<T> each) {
        list(resource, namespace, ListOptions.page("", PAGE, "").withFieldSelector(fields), projection, each);
    }

    /**
     * Watches a kind that the server may have in one of several versions, or in none: of these, the preferred first, one is
     * watched from when the one before turns out not to be served.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    public final <T extends KubernetesObject> ServedVersions<T> watch(
            List<Resource> versions, Projection<T> projection, Index<T>... indexes) {
        ServedVersions<T> served = new ServedVersions<>(versions, () -> new ObjectCache<>(indexes));
        served.whenChanged(() -> served.wanted().ifPresent(version -> watch(version, projection)));
        served.wanted().ifPresent(version -> watch(version, projection));
        return served;
    }

    private <T extends KubernetesObject> void watch(ServedVersions<T>.Version version, Projection<T> projection) {
        if (kinds.stream().noneMatch(kind -> kind.cache == version.cache())) {
            Kind<T> kind = kind(version.resource(), projection, version.cache(), version);
            kinds.add(kind);
            if (started) {
                informers.start(List.of(kind.informer(informers)));
            }
        }
    }

    private <T extends KubernetesObject> Kind<T> kind(
            Resource resource, Projection<T> projection, ObjectCache<T> cache, ReflectorListener listener) {
        return new Kind<>(new ListWatch<>(resource.plural() + " of the home cluster", server, resource, "", false,
                projection), cache, listener);
    }

    /** Starts watching what was asked for; returns before anything has been seen. */
    public void start() {
        started = true;
        informers.start(kinds.stream().map(kind -> kind.informer(informers)).toList());
        timers.every(RECOVERY, this::recover);
    }

    /** Tells {@code listener} each time when a heap that was short has room again; it must not block. */
    void whenHeapRecovers(Runnable listener) {
        heapRecovers.add(listener);
    }

    private void recover() {
        if (budget.recovers()) {
            heapRecovers.forEach(Runnable::run);
            Thread.ofPlatform().daemon().name("nodeward-read-again").start(informers::readReducedAgain);
        }
    }

    /** Why not all that was asked for and is served has been seen yet; empty if it has. */
    public Optional<String> unsynced() {
        return kinds.stream().filter(kind -> !kind.cache.synced() && !kind.isMissing()).findFirst().map(Kind::unsynced);
    }

    /** Runs {@code task} once, on a thread of its own, when all that was asked for has been seen. */
    public void whenSynced(Runnable task) {
        CacheSync.whenSynced(kinds.stream().<ObjectCache<?>>map(kind -> kind.cache).toList(), task);
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            try (server) {
                informers.close();
            }
        }
    }

    /** One kind, and how its watch gets on. */
    private static final class Kind<T extends KubernetesObject> implements ReflectorListener {
        private final ListWatch<T> listWatch;
        private final ObjectCache<T> cache;
        private final ReflectorListener listener;
        private volatile Optional<ApiFailure> failure = Optional.empty();
        private volatile boolean missing;

        Kind(ListWatch<T> listWatch, ObjectCache<T> cache, ReflectorListener listener) {
            this.listWatch = listWatch;
            this.cache = cache;
            this.listener = listener;
        }

        Informer<T> informer(Informers informers) {
            return informers.informer(listWatch, cache, this);
        }

        @Override
        public void failed(ApiFailure now) {
            failure = Optional.of(now);
            missing = now instanceof ApiFailure.NotServed || missing && !(now instanceof ApiFailure.Forbidden);
            listener.failed(now);
        }

        @Override
        public void following() {
            listener.following();
        }

        /** A server without it serves all others: those who read them do not wait, whatever it answers meanwhile. */
        boolean isMissing() {
            return missing && listWatch.only().isEmpty(); // the process waits for what it names
        }

        boolean isForbidden() {
            return failure.filter(ApiFailure.Forbidden.class::isInstance).isPresent();
        }

        String unsynced() {
            String remedy = failure.map(listWatch::remedy).orElse("");
            return listWatch.name() + " have not been seen yet" + (remedy.isEmpty() ? "" : "; " + remedy);
        }
    }
}
