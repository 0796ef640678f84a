package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The watches of Cluster API's kinds, each in the newest version that has it. */
final class ClusterApiWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterApiWatches.class);
    /** While a kind is not watched in the newest version: nothing tells that it is served now. */
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);

    private final HomeCluster home;
    private final String watchFilter;
    private final List<String> namespaces;
    private final Timers timers;
    private final List<Kind> kinds;
    private final Consumer<Map<String, String>> versions;
    private final ClusterApiDiscovery discovery;

    /** One kind, which controllers may read in several ways. */
    private final class Kind implements ReflectorListener {
        private final String plural;
        private final List<ClusterApiKind<?>> ways;
        private final boolean optional;
        private List<Informer<?>> informers = List.of();
        /** In which it is watched; empty if it is not. */
        private volatile String version = "";
        /** Since when that has not been served. */
        private volatile @Nullable Long missing;

        Kind(List<ClusterApiKind<?>> ways) {
            this.plural = ways.getFirst().plural();
            this.ways = ways;
            this.optional = ways.stream().allMatch(ClusterApiKind::optional);
        }

        @Override
        public void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed) {
                missing = missing == null ? (Long) timers.nanoTime() : missing;
                look();
            } else if (!(failure instanceof ApiFailure.Forbidden)) { // rights are asked before the kind
                missing = null;
            }
        }

        @Override
        public void following() {
            missing = null;
        }

        /** An upgrade replaces one definition after the other, and discovery follows later. */
        private boolean isGone() {
            Long since = missing;
            return version.isEmpty() || since != null && timers.nanoTime() - since >= UNTIL_NEXT_LOOK.toNanos();
        }

        /** @return what is to be started */
        List<Informer<?>> follow(Map<String, String> served) {
            String unserved = !isGone() ? version : optional ? "" : ClusterApiDiscovery.NEWEST;
            String next = served.getOrDefault(plural, unserved);
            if (!version.isEmpty() && next.equals(version)) {
                return List.of();
            }
            if (!version.isEmpty()) {
                Level level = next.isEmpty() ? Level.WARN : Level.INFO;
                LOG.atLevel(level).log("{}.{}: watched in {}, no more in {}", plural, ClusterApi.GROUP,
                        next.isEmpty() ? "no version, as none has been served for a minute" : next, version);
            }
            informers.forEach(Informer::close);
            version = next;
            missing = null;
            informers = List.of();
            if (next.isEmpty()) {
                ways.forEach(way -> way.cache().replaceWithNothing()); // should the kind come back, it begins anew
            } else {
                informers = ways.stream().<Informer<?>>flatMap(way -> informers(next, way, this).stream()).toList();
            }
            return informers;
        }
    }

    /** @param versions told which version has each kind, before it is watched there */
    ClusterApiWatches(
            HomeCluster home,
            String watchFilter,
            List<String> namespaces,
            Timers timers,
            List<ClusterApiKind<?>> kinds,
            Consumer<Map<String, String>> versions) {
        this.home = home;
        this.watchFilter = watchFilter;
        this.namespaces = namespaces;
        this.timers = timers;
        this.kinds = kinds.stream().collect(Collectors.groupingBy(ClusterApiKind::plural)).values().stream()
                .map(Kind::new).toList();
        this.versions = versions;
        this.discovery = new ClusterApiDiscovery(home.server(), timers);
    }

    /** @param watching run when the first version has been found and is watched */
    void start(Runnable watching) {
        discovery.find(served -> {
            watch(served);
            watching.run();
        });
        timers.every(UNTIL_NEXT_LOOK, () -> {
            if (!kinds.stream().allMatch(kind -> kind.version.equals(ClusterApiDiscovery.NEWEST))) {
                look();
            }
        });
    }

    private void look() {
        discovery.find(this::watch);
    }

    private void watch(Map<String, String> served) {
        versions.accept(served);
        List<Informer<?>> starting = new ArrayList<>();
        kinds.forEach(kind -> starting.addAll(kind.follow(served)));
        home.informers().start(starting);
    }

    private <T extends KubernetesObject> List<Informer<T>> informers(
            String version, ClusterApiKind<T> kind, ReflectorListener listener) {
        String filter =
                watchFilter.isEmpty() || !kind.filtered() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        return home.informers().informers(namespaces,
                new ListWatch<>(kind.plural(), home.server(), Resources.clusterApi(version, kind.plural()), filter,
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
