package io.nodeward.controller.topology;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.rules.topology.ControlPlaneContract;
import io.nodeward.core.rules.topology.ControlPlaneContract.Found;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Control planes of whatever kinds Clusters name. Their CustomResourceDefinitions are watched: whether a provider takes
 * taints, and where, may change with its next release.
 */
final class ControlPlanes implements AutoCloseable {
    private static final Resource DEFINITIONS =
            new Resource("apiextensions.k8s.io", "v1", "customresourcedefinitions", false);
    private static final Index<ProviderDefinition> BY_KIND =
            Index.of("kind", definition -> definition.kind() + "." + definition.group());

    private final ApiServer server;
    private final Informers informers;
    private final boolean reads;
    private final ObjectCache<ProviderDefinition> definitions = new ObjectCache<>(BY_KIND);
    private final AtomicBoolean definitionsForbidden = new AtomicBoolean();
    private final Informer<ProviderDefinition> definitionInformer;
    private final ReentrantLock lock = new ReentrantLock();
    /** By plural and group; guarded by the lock, as is the rest. */
    private final Map<String, Watched> watched = new HashMap<>();
    private volatile Listener listener = (group, kind, controlPlane) -> {};
    private boolean closed;

    private record Watched(
            ProviderDefinition definition,
            Found found,
            ObjectCache<TaintHolder> objects,
            Informer<TaintHolder> informer,
            AtomicBoolean forbidden) {
        boolean isOf(String group, String kind) {
            return definition.group().equals(group) && definition.kind().equals(kind);
        }
    }

    /** Told of changes while a cache is locked: it must not block. */
    @FunctionalInterface
    interface Listener {
        /** @param controlPlane empty if the kind itself has changed */
        void controlPlaneChanged(String group, String kind, Optional<TaintHolder> controlPlane);

        /** Whether kinds may be read at all. */
        default void rightsChanged() {}
    }

    /** What is known of a kind of control planes. */
    sealed interface Provider {
        /** Its definition is not there, or has not been read yet. */
        record Unknown() implements Provider {}

        /** The controller has no right to watch definitions, and knows none of this kind. */
        record DefinitionsForbidden() implements Provider {}

        /** It has no field for taints that its contract names. */
        record WithoutTaints() implements Provider {}

        /** The controller has no right to watch it. */
        record Forbidden() implements Provider {}

        record Served(Resource resource, TaintPlace place, ObjectCache<TaintHolder> objects) implements Provider {}
    }

    @Inject
    ControlPlanes(ManagementCluster management, TopologyPolicy policy) {
        this.server = management.server();
        this.informers = management.informers();
        this.reads = policy.reads(Level.CONTROL_PLANE);
        this.definitionInformer = informers.informer(
                new Source<>("definitions", server, DEFINITIONS, "", false, Projection.PROVIDER_DEFINITION),
                definitions, rights(definitionsForbidden, () -> listener.rightsChanged()));
    }

    void start(Listener told) {
        listener = told;
        if (reads) {
            definitions.subscribe((before, after) -> {
                ProviderDefinition any = after != null ? after : before;
                if (any != null) {
                    told.controlPlaneChanged(any.group(), any.kind(), Optional.empty());
                }
            });
            definitionInformer.start();
        }
    }

    Provider provider(ControlPlaneRef ref) {
        Optional<ProviderDefinition> definition =
                definitions.find(BY_KIND, ref.kind() + "." + ref.group()).stream().findFirst();
        if (definition.isEmpty()) {
            release(ref.group(), ref.kind());
            return definitionsForbidden.get() ? new Provider.DefinitionsForbidden() : new Provider.Unknown();
        }
        Optional<Found> found =
                ControlPlaneContract.find(definition.get().metadata().labels(), definition.get()::declares);
        if (found.isEmpty()) {
            release(ref.group(), ref.kind());
            return new Provider.WithoutTaints();
        }
        return served(definition.get(), found.get());
    }

    /** Ends the watch of a kind that has no taints or that nobody names any more, until one does. Does not block. */
    void release(String group, String kind) {
        lock.lock();
        try {
            watched.values().stream().filter(watch -> watch.isOf(group, kind)).forEach(watch -> watch.informer.halt());
            watched.values().removeIf(watch -> watch.isOf(group, kind));
        } finally {
            lock.unlock();
        }
    }

    private Provider served(ProviderDefinition definition, Found found) {
        Resource resource = new Resource(definition.group(), found.version(), definition.plural(), true);
        lock.lock();
        try {
            String id = definition.plural() + "." + definition.group();
            Watched watch = watched.get(id);
            if (watch == null || !watch.found.equals(found)) {
                if (watch != null) {
                    watch.informer.halt();
                }
                watch = watch(definition, resource, found);
                watched.put(id, watch);
            }
            return watch.forbidden.get()
                    ? new Provider.Forbidden()
                    : new Provider.Served(resource, found.place(), watch.objects);
        } finally {
            lock.unlock();
        }
    }

    private Watched watch(ProviderDefinition definition, Resource resource, Found found) {
        // Written in another version it may have its taints elsewhere.
        TaintPlace other = found.place() == TaintPlace.CONTROL_PLANE
                ? TaintPlace.CONTROL_PLANE_V1BETA1
                : TaintPlace.CONTROL_PLANE;
        ObjectCache<TaintHolder> objects = new ObjectCache<>();
        objects.subscribe((before, after) -> listener.controlPlaneChanged(
                definition.group(), definition.kind(), Optional.ofNullable(after != null ? after : before)));
        AtomicBoolean forbidden = new AtomicBoolean();
        Informer<TaintHolder> started = informers.informer(
                new Source<>(resource.plural(), server, resource, "", false,
                        Projection.taintHolder(found.place(), other)),
                objects, rights(forbidden, () -> listener.controlPlaneChanged(
                        definition.group(), definition.kind(), Optional.empty())));
        if (!closed) {
            started.start();
        }
        return new Watched(definition, found, objects, started, forbidden);
    }

    /** Rights come and go while it is tried again. */
    private static ReflectorListener rights(AtomicBoolean forbidden, Runnable changed) {
        return new ReflectorListener() {
            @Override
            public void failed(ApiFailure failure) {
                set(failure instanceof ApiFailure.Forbidden);
            }

            @Override
            public void following() {
                set(false);
            }

            private void set(boolean value) {
                if (forbidden.getAndSet(value) != value) {
                    changed.run();
                }
            }
        };
    }

    @Override
    public void close() {
        List<Informer<?>> open = new ArrayList<>(List.of(definitionInformer));
        lock.lock();
        try {
            closed = true;
            watched.values().forEach(watch -> open.add(watch.informer));
        } finally {
            lock.unlock();
        }
        open.forEach(Informer::close);
    }
}
