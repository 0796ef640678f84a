package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.ApiFailure;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** One workload cluster: its Nodes, as a server has them and as a cache does, and writes that may fail. */
public final class FakeClusters implements NodeListers, ObjectWriter {
    private static final Index<Node> BY_PROVIDER_ID = Index.of("providerID", Node::providerId);

    private final ObjectKey cluster;
    private final FakeStore<Node> store;
    private final Faults faults;
    private final BiConsumer<FakeStore<Node>, Node> somebody;
    private final List<WorkloadListener<Node>> listeners = new ArrayList<>();
    private final Set<ObjectKey> rejected = new HashSet<>();
    private ObjectCache<Node> cache = new ObjectCache<>(BY_PROVIDER_ID);
    private boolean available = true;
    /** Whether a write found the cluster unavailable, which it is no more. */
    private boolean interrupted;
    private int writes;

    /** @param somebody changes a Node in the moment of a write */
    public FakeClusters(
            ObjectKey cluster, FakeStore<Node> store, Faults faults, BiConsumer<FakeStore<Node>, Node> somebody) {
        this.cluster = cluster;
        this.store = store;
        this.faults = faults;
        this.somebody = somebody;
    }

    /** A new process: it has seen nothing and nobody listens. */
    public void restart() {
        listeners.clear();
        cache = new ObjectCache<>(BY_PROVIDER_ID);
        store.watch(cache);
        cache.subscribeToChanges((before, after) -> List.copyOf(listeners)
                .forEach(listener -> listener.changed(cluster, before, after)));
    }

    /** The cluster answers, or does not. */
    public void setAvailable(boolean answers) {
        boolean again = answers && !available;
        available = answers;
        if (again) {
            listeners.forEach(listener -> listener.available(cluster));
        }
    }

    /** Wakes what waits for the cluster since a write found it unavailable. */
    void reconnect() {
        if (interrupted) {
            interrupted = false;
            if (available) {
                List.copyOf(listeners).forEach(listener -> listener.available(cluster));
            }
        }
    }

    /** Nodes of which the server has made a change. */
    public int writes() {
        return writes;
    }

    /** Nodes whose last write was rejected: it takes a change of an object to have it tried again. */
    public Set<ObjectKey> rejected() {
        return rejected;
    }

    @Override
    public Optional<? extends NodeView> find(ObjectKey key) {
        return key.equals(cluster) && available ? Optional.of(new Lister()) : Optional.empty();
    }

    @Override
    public void subscribe(WorkloadListener<Node> listener) {
        listeners.add(listener);
        if (available) {
            listener.available(cluster);
        }
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        Verb.PatchNode update = (Verb.PatchNode) change.verb();
        ObjectKey key = update.before().key();
        Fault fault = faults.next(false);
        if (fault == Fault.REJECTED) {
            rejected.add(key);
        }
        fault.failBefore(faults);
        if (fault == Fault.UNAVAILABLE) {
            interrupted = true;
            return new Applied.Unavailable(NodeListers.awaited(cluster));
        }
        if (fault == Fault.CONFLICT) {
            store.get(key).ifPresent(node -> somebody.accept(store, node));
        }
        Optional<Node> held = store.get(key);
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        if (!holds(update, held.get(), again)) {
            return outdated(update.before());
        }
        Node after = store.put(update.change().applyTo(held.get(), ""));
        writes++;
        rejected.remove(key);
        fault.failAfter(faults);
        Node planned = update.change().applyTo(update.before(), after.metadata().resourceVersion());
        cache.recordOwnWrite(update.before(), planned, after);
        return new Applied.Written();
    }

    private static boolean holds(Verb.PatchNode update, Node held, boolean again) {
        Node before = update.before();
        return again
                ? held.sameVersion(before)
                : held.metadata().uid().equals(before.metadata().uid()) && held.taints().equals(before.taints())
                        && NodeChange.PLANNED_FROM.stream().allMatch(key -> Optional
                                .ofNullable(held.metadata().annotations().get(key))
                                .equals(Optional.ofNullable(before.metadata().annotations().get(key))));
    }

    /** The watch brings something newer before the writer goes on. */
    private Applied outdated(Node before) {
        boolean more = true;
        while (more && cache.get(before.key()).filter(before::sameVersion).isPresent()) {
            more = store.deliver();
        }
        ApiFailure conflict = Faults.failure(409, "Conflict");
        return cache.get(before.key()).isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
    }

    private final class Lister implements NodeView {
        @Override
        public Optional<Node> node(String name) {
            return cache.get(ObjectKey.clusterScoped(name));
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return cache.find(BY_PROVIDER_ID, providerId);
        }
    }
}
