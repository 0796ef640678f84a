package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.Withheld;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The watches of Cluster API's kinds, each in the newest version that has it. */
final class ClusterApiWatches implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterApiWatches.class);
    /** While a kind is not watched in the newest version: nothing tells that it is served now. */
    private static final Duration UNTIL_NEXT_LOOK = Duration.ofMinutes(1);
    /** How long a removal waits before it is planned anew. */
    private static final Duration UNTIL_NEXT_ASKED = Duration.ofSeconds(5);
    /** A removal that has waited for so long is reported. */
    private static final Duration LASTING = Duration.ofMinutes(3);

    private final HomeCluster home;
    private final String watchFilter;
    private final List<String> namespaces;
    private final Timers timers;
    private final Map<String, Kind> kinds;
    private final ClusterApiDiscovery discovery;
    private final HeldRemovals removals = new HeldRemovals();

    /** One kind, which controllers may read in several ways. */
    private final class Kind {
        private final String plural;
        private final List<ClusterApiKind<?>> ways;
        private final boolean optional;
        private List<Informer<?>> informers = List.of();
        /** The version in which it is watched; empty if it is not. */
        private volatile String version = "";
        /** Since when the watches have failed because the version is not served. */
        private volatile @Nullable Long missing;
        /** The watches in this version that have not listed yet: the cache has what was read in the version before. */
        private volatile Set<Listing> unlisted = Set.of();

        Kind(List<ClusterApiKind<?>> ways) {
            this.plural = ways.getFirst().plural();
            this.ways = ways;
            this.optional = ways.stream().allMatch(ClusterApiKind::optional);
        }

        private void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed) {
                missing = missing == null ? (Long) timers.nanoTime() : missing;
                look();
            } else if (!(failure instanceof ApiFailure.Forbidden)) { // rights are asked before the kind
                missing = null;
            }
        }

        /** Returns a listener for one more watch. */
        private ReflectorListener listener(String namespace) {
            Listing listener = new Listing(this, namespace, unlisted);
            unlisted.add(listener);
            return listener;
        }

        /** Returns what is missing, until all that is known of it was read in the newest version. */
        private String awaited() {
            Set<Listing> missing = Set.copyOf(unlisted);
            if (missing.isEmpty()) {
                return name() + " are read in version " + version + ", and discovery has not shown that none is newer";
            }
            String where = missing.stream().map(listing -> listing.namespace).filter(name -> !name.isEmpty())
                    .distinct().sorted().collect(Collectors.joining(", "));
            return name() + " have not been listed in version " + version
                    + (where.isEmpty() ? "" : " in " + where)
                    + (missing.stream().anyMatch(listing -> listing.forbidden)
                            ? " (grant the controller list and watch of them there)" : "");
        }

        private String name() {
            return plural + "." + ClusterApi.GROUP;
        }

        /** Whether all that is known of it was read in the newest version. */
        private boolean isNewest() {
            return version.equals(ClusterApiDiscovery.NEWEST) && unlisted.isEmpty();
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
            boolean untilGone = ClusterApiDiscovery.isOlder(next, version) && !isGone();
            if (!version.isEmpty() && (untilGone || next.equals(version))) {
                return List.of();
            }
            if (!version.isEmpty()) {
                Level level = next.isEmpty() ? Level.WARN : Level.INFO;
                LOG.atLevel(level).log("{}.{}: watched in {}, no more in {}", plural, ClusterApi.GROUP,
                        next.isEmpty() ? "no version, as none has been served for a minute" : next, version);
            }
            informers.forEach(Informer::close);
            Set<Listing> listing = ConcurrentHashMap.newKeySet();
            Listing first = new Listing(this, "", listing);
            listing.add(first); // until all are in it
            unlisted = listing;
            version = next;
            missing = null;
            informers = List.of();
            if (next.isEmpty()) {
                ways.forEach(way -> way.cache().replaceWithNothing()); // should the kind come back, it begins anew
            } else {
                informers = ways.stream().<Informer<?>>flatMap(way -> informers(next, way, this::listener).stream())
                        .toList();
            }
            listing.remove(first);
            return informers;
        }
    }

    /** A watch that has not listed yet in the version in which its kind is watched. */
    private static final class Listing implements ReflectorListener {
        private final Kind kind;
        private final String namespace;
        private final Set<Listing> unlisted;
        private volatile boolean forbidden;

        Listing(Kind kind, String namespace, Set<Listing> unlisted) {
            this.kind = kind;
            this.namespace = namespace;
            this.unlisted = unlisted;
        }

        @Override
        public void failed(ApiFailure failure) {
            forbidden = failure instanceof ApiFailure.Forbidden;
            kind.failed(failure);
        }

        @Override
        public void following() {
            kind.missing = null;
            unlisted.remove(this);
        }
    }

    ClusterApiWatches(
            HomeCluster home,
            String watchFilter,
            List<String> namespaces,
            Timers timers,
            List<ClusterApiKind<?>> kinds) {
        this.home = home;
        this.watchFilter = watchFilter;
        this.namespaces = namespaces;
        this.timers = timers;
        this.kinds = kinds.stream().collect(Collectors.groupingBy(ClusterApiKind::plural,
                Collectors.collectingAndThen(Collectors.toList(), Kind::new)));
        this.discovery = new ClusterApiDiscovery(home.server(), timers);
    }

    /** @param watching run when the first version has been found and is watched */
    void start(Runnable watching) {
        discovery.find(served -> {
            watch(served);
            watching.run();
        });
        timers.every(UNTIL_NEXT_LOOK, () -> {
            if (!kinds.values().stream().allMatch(kind -> kind.version.equals(ClusterApiDiscovery.NEWEST))) {
                look();
            }
        });
    }

    private void look() {
        discovery.find(this::watch);
    }

    /** Returns the version in which a kind is watched; empty if it is not. */
    String version(String plural) {
        Kind kind = kinds.get(plural);
        return kind == null ? "" : kind.version;
    }

    /** See {@link ManagementCluster#untilNewest}. */
    Optional<Withheld> untilNewest(Object removal, Set<String> plurals) {
        long now = timers.nanoTime();
        List<Kind> older = plurals.stream().flatMap(plural -> Stream.ofNullable(kinds.get(plural)))
                .filter(kind -> !kind.isNewest() && !kind.version.isEmpty()).toList();
        boolean held = older.stream().map(kind -> kind.version).distinct()
                .anyMatch(version -> version.equals(ClusterApiDiscovery.NEWEST)
                        || removals.holds(removal, version, now));
        if (!held) {
            removals.forget(removal);
            return Optional.empty();
        }
        boolean lasts = removals.heldFor(removal, now).compareTo(LASTING) >= 0;
        return Optional.of(new Withheld(
                new Result.RequeueAfter(UNTIL_NEXT_ASKED, "objects to be read in the newest version of Cluster API"),
                older.stream().filter(kind -> lasts).map(Kind::awaited).sorted().findFirst()
                        .map(what -> "no taint is removed, as " + what
                                + ", and a newer version may declare the taint")));
    }

    private void watch(ClusterApiDiscovery.Served served) {
        removals.discovered(served.newest(), served.asked());
        List<Informer<?>> starting = new ArrayList<>();
        kinds.values().forEach(kind -> starting.addAll(kind.follow(served.versions())));
        home.informers().start(starting);
    }

    private <T extends KubernetesObject> List<Informer<T>> informers(
            String version, ClusterApiKind<T> kind, Function<String, ReflectorListener> listener) {
        String filter =
                watchFilter.isEmpty() || !kind.filtered() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        return home.informers().informers(namespaces,
                new ListWatch<>(kind.plural(), home.server(), Resources.clusterApi(version, kind.plural()), filter,
                        false,
                        kind.projection()),
                kind.cache(), listener);
    }

    /** Looks for nothing more; the watches end with those of the home cluster. */
    @Override
    public void close() {
        discovery.close();
    }
}
