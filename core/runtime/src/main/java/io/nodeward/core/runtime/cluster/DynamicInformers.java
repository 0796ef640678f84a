package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.time.Mutex;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Objects of the management cluster whose kinds only the running process learns of, because other objects refer to them by
 * group and kind. Their CustomResourceDefinitions are watched: what a kind takes, and in which version, may change with its
 * provider's next release. A kind itself is watched from the first question for its objects until its {@link #release}.
 *
 * @param <T> the record of an object
 */
public final class DynamicInformers<T extends KubernetesObject> implements AutoCloseable {
    private static final Resource DEFINITIONS =
            new Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", false);
    private static final Index<ProviderDefinition> BY_KIND =
            Index.of("kind", definition -> id(definition.group(), definition.kind()));

    private final ManagementCluster management;
    private final ObjectCache<ProviderDefinition> definitions = new ObjectCache<>(BY_KIND);
    private final WatchRights definitionRights;
    private final Informer<ProviderDefinition> definitionInformer;
    private final Mutex lock = new Mutex();
    /** By group and kind; guarded by the lock, as is the rest. */
    private final Map<String, Watched<T>> watched = new HashMap<>();
    private boolean closed;
    private volatile Listener<T> listener = (group, kind, object) -> {};

    private record Watched<T extends KubernetesObject>(
            ObjectKind kind,
            Projection<T> projection,
            ObjectCache<T> objects,
            Map<String, WatchRights> rights,
            List<Informer<T>> informers) {
        boolean mayRead(String namespace) {
            WatchRights of = rights.getOrDefault(namespace, rights.get(""));
            return of != null && !of.missing();
        }
    }

    /**
     * Told of changes while a cache is locked: it must not block.
     *
     * @param <T> the record of an object
     */
    @FunctionalInterface
    public interface Listener<T> {
        /** @param object empty if the kind itself has changed: its definition, or the right to watch it */
        void changed(String group, String kind, Optional<T> object);

        /** The right to watch definitions has come or gone. */
        default void rightsChanged() {}
    }

    public DynamicInformers(ManagementCluster management) {
        this.management = management;
        this.definitionRights = new WatchRights(() -> listener.rightsChanged());
        this.definitionInformer = management.informers().informer(
                new ListWatch<>("definitions", management.server(), DEFINITIONS, "", false,
                        Projection.PROVIDER_DEFINITION),
                definitions, definitionRights);
    }

    /** Watches definitions from now on. To be called once. */
    public void start(Listener<T> subscriber) {
        listener = subscriber;
        definitions.subscribe((before, after) -> {
            ProviderDefinition any = MapFunction.latest(before, after);
            subscriber.changed(any.group(), any.kind(), Optional.empty());
        });
        definitionInformer.start();
    }

    /** Empty if there is none, it has not been read yet, or there is {@link #mayReadDefinitions no right} to. */
    public Optional<ProviderDefinition> definition(String group, String kind) {
        return definitions.find(BY_KIND, id(group, kind)).stream().findFirst();
    }

    public boolean mayReadDefinitions() {
        return !definitionRights.missing();
    }

    /**
     * The objects of a kind, which are watched from now on in this version and with this projection, the same instance each
     * time; empty if there is no right to.
     *
     * @param namespace in which they are to be found: the right to those of another does not count
     */
    public Optional<ObjectCache<T>> objects(ObjectKind kind, Projection<T> projection, String namespace) {
        try (Mutex locked = lock.hold()) {
            Watched<T> watch = watched.get(id(kind.group(), kind.kind()));
            if (watch == null || !watch.kind.equals(kind) || watch.projection != projection) {
                halt(watch);
                watch = watch(kind, projection);
                watched.put(id(kind.group(), kind.kind()), watch);
            }
            return watch.mayRead(namespace) ? Optional.of(watch.objects) : Optional.empty();
        }
    }

    private Watched<T> watch(ObjectKind kind, Projection<T> projection) {
        ObjectCache<T> objects = new ObjectCache<>();
        objects.subscribe((before, after) -> listener.changed(
                kind.group(), kind.kind(), Optional.of(MapFunction.latest(before, after))));
        ListWatch<T> all =
                new ListWatch<>(kind.plural(), management.server(), kind.resource(), "", false, projection);
        Map<String, WatchRights> rights = management.namespaces().stream().collect(Collectors.toMap(each -> each,
                each -> new WatchRights(() -> listener.changed(kind.group(), kind.kind(), Optional.empty()))));
        List<Informer<T>> informers =
                management.informers().informers(management.namespaces(), all, objects, rights::get);
        if (!closed) {
            management.informers().start(informers);
        }
        return new Watched<>(kind, projection, objects, rights, informers);
    }

    /** Ends the watch of a kind whose objects nobody needs any more, until somebody asks for them. Does not block. */
    public void release(String group, String kind) {
        try (Mutex locked = lock.hold()) {
            halt(watched.remove(id(group, kind)));
        }
    }

    private static void halt(@Nullable Watched<?> watch) {
        if (watch != null) {
            watch.informers.forEach(Informer::halt);
        }
    }

    private static String id(String group, String kind) {
        return kind + "." + group;
    }

    @Override
    public void close() {
        List<Informer<?>> open = new ArrayList<>(List.of(definitionInformer));
        try (Mutex locked = lock.hold()) {
            closed = true;
            watched.values().forEach(watch -> open.addAll(watch.informers));
        }
        open.forEach(Informer::close);
    }

    /** Whether the right to watch a kind is missing. It may come and go while the watch is tried again. */
    private static final class WatchRights implements ReflectorListener {
        private final AtomicBoolean missing = new AtomicBoolean();
        private final Runnable changed;

        /** @param changed must not block */
        WatchRights(Runnable changed) {
            this.changed = changed;
        }

        boolean missing() {
            return missing.get();
        }

        @Override
        public void failed(ApiFailure failure) {
            set(failure instanceof ApiFailure.Forbidden);
        }

        @Override
        public void following() {
            set(false);
        }

        private void set(boolean value) {
            if (missing.getAndSet(value) != value) {
                changed.run();
            }
        }
    }
}
