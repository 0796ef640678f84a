package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cluster.ClusterApiDiscovery.Served;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The watches of Cluster API's kinds, in the version that is served, as long as it is. */
final class ClusterApiWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterApiWatches.class);
    /** For a kind that is not served: who installs it later waits so long. */
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);

    private final HomeCluster home;
    private final String watchFilter;
    private final List<String> namespaces;
    private final Timers timers;
    private final List<ClusterApiKind<?>> kinds;
    private final Consumer<String> versions;
    private final ClusterApiDiscovery discovery;
    /** Each in the version in which it is watched; controllers may read one kind in several ways. */
    private final Map<ClusterApiKind<?>, Watched> watched = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile String version = "";

    /** Who watches a kind. */
    private final class Watched implements ReflectorListener {
        private final String version;
        private final List<? extends Informer<?>> informers;
        /** Since when this version of the kind has not been served. */
        private volatile @Nullable Long missing;

        Watched(String version, ClusterApiKind<?> kind) {
            this.version = version;
            this.informers = informers(version, kind, this);
        }

        @Override
        public void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed) {
                if (missing == null) {
                    missing = timers.nanoTime();
                }
                discoverAgain();
            }
        }

        @Override
        public void following() {
            missing = null;
        }

        /** An upgrade replaces one definition after the other, and discovery follows later. */
        boolean isGone() {
            Long since = missing;
            return since != null && timers.nanoTime() - since >= UNTIL_NEXT_LOOK.toNanos();
        }

        void close() {
            informers.forEach(Informer::close);
        }
    }

    /** @param versions told which version is watched, before it is */
    ClusterApiWatches(
            HomeCluster home,
            String watchFilter,
            List<String> namespaces,
            Timers timers,
            List<ClusterApiKind<?>> kinds,
            Consumer<String> versions) {
        this.home = home;
        this.watchFilter = watchFilter;
        this.namespaces = namespaces;
        this.timers = timers;
        this.kinds = List.copyOf(kinds);
        this.versions = versions;
        this.discovery = new ClusterApiDiscovery(
                home.server(), this.kinds.stream().anyMatch(ClusterApiKind::optional), timers);
    }

    /** @param watching run when the first version has been found and is watched */
    void start(Runnable watching) {
        discovery.find(served -> {
            watch(served);
            watching.run();
        });
    }

    private void discoverAgain() {
        discovery.find(this::watch);
    }

    private void watch(Served served) {
        if (!version.isEmpty() && !version.equals(served.version())) {
            LOG.info("watching {}/{}, no more {}", ClusterApi.GROUP, served.version(), version);
        }
        version = served.version();
        versions.accept(version);
        List<Informer<?>> starting = new ArrayList<>();
        kinds.forEach(kind -> watch(kind, served, starting));
        home.informers().start(starting);
        if (!kinds.stream().allMatch(this::isWatched) && looking.compareAndSet(false, true)) {
            timers.after(UNTIL_NEXT_LOOK, () -> {
                looking.set(false);
                discoverAgain();
            });
        }
    }

    private void watch(ClusterApiKind<?> kind, Served served, List<Informer<?>> starting) {
        Optional<Watched> before = Optional.ofNullable(watched.get(kind));
        boolean isServed = served.plurals().isEmpty() || served.plurals().contains(kind.plural());
        if (isServed && !isWatched(kind) || !kind.optional() && before.isEmpty()) {
            before.ifPresent(Watched::close);
            Watched now = new Watched(version, kind);
            watched.put(kind, now);
            starting.addAll(now.informers);
        } else if (!isServed && kind.optional() && before.map(Watched::isGone).orElse(true)) {
            before.ifPresent(Watched::close);
            watched.remove(kind); // should the kind come back, it begins anew
            kind.cache().replaceWithNothing();
        }
    }

    /** In the version that is served: until the upgrade reaches its definition, a kind is watched in the one before. */
    private boolean isWatched(ClusterApiKind<?> kind) {
        Watched now = watched.get(kind);
        return now != null && now.version.equals(version);
    }

    private <T extends KubernetesObject> List<Informer<T>> informers(
            String served, ClusterApiKind<T> kind, ReflectorListener listener) {
        String filter =
                watchFilter.isEmpty() || !kind.filtered() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        return home.informers().informers(namespaces,
                new ListWatch<>(kind.plural(), home.server(), Resources.clusterApi(served, kind.plural()), filter,
                        false,
                        kind.projection()),
                kind.cache(), namespace -> listener);
    }

    /** Looks for nothing more; the watches end with those of the home cluster. */
    @Override
    public void close() {
        discovery.close();
    }
}
