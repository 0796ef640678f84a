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
    /** Those that watch one version of Cluster API; controllers may read one kind in several ways. */
    private final Map<ClusterApiKind<?>, List<? extends Informer<?>>> informers = new ConcurrentHashMap<>();
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile String version = "";
    /** An upgrade of Cluster API may end the version we watch. */
    private final ReflectorListener upgrades = new ReflectorListener() {
        @Override
        public void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed) {
                discoverAgain();
            }
        }
    };

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
        discovery.find(served -> {
            if (!served.version().equals(version)) {
                LOG.info("{}/{} is served no more; watching {}", ClusterApi.GROUP, version, served.version());
                informers.values().forEach(some -> some.forEach(Informer::close));
                informers.clear();
            }
            watch(served);
        });
    }

    private void watch(Served served) {
        version = served.version();
        versions.accept(version);
        List<Informer<?>> starting = new ArrayList<>();
        for (ClusterApiKind<?> kind : kinds) {
            if (kind.optional() && !served.plurals().contains(kind.plural())) {
                // Should the kind come back, it begins anew.
                Optional.ofNullable(informers.remove(kind)).ifPresent(before -> before.forEach(Informer::close));
                kind.cache().replaceWithNothing();
            } else if (!informers.containsKey(kind)) {
                List<? extends Informer<?>> some = informers(kind);
                informers.put(kind, some);
                starting.addAll(some);
            }
        }
        home.informers().start(starting);
        if (informers.size() < kinds.size() && looking.compareAndSet(false, true)) {
            timers.after(UNTIL_NEXT_LOOK, () -> {
                looking.set(false);
                discoverAgain();
            });
        }
    }

    private <T extends KubernetesObject> List<Informer<T>> informers(ClusterApiKind<T> kind) {
        String filter =
                watchFilter.isEmpty() || !kind.filtered() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
        return home.informers().informers(namespaces,
                new ListWatch<>(kind.plural(), home.server(), Resources.clusterApi(version, kind.plural()), filter,
                        false,
                        kind.projection()),
                kind.cache(), namespace -> upgrades);
    }

    /** Looks for nothing more; the watches end with those of the home cluster. */
    @Override
    public void close() {
        discovery.close();
    }
}
