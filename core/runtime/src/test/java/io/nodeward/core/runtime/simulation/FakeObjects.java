package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.ApiFailure;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Changes of objects, as a server makes them, which may fail.
 *
 * @param <T> the projected object
 */
public final class FakeObjects<T extends KubernetesObject> implements ObjectWriter {
    private final Function<String, FakeStore<T>> stores;
    private final Changed<T> changed;
    private final BiConsumer<FakeStore<T>, T> somebody;
    private final Faults faults;
    private final Set<Id> rejected = new HashSet<>();
    private int writes;

    /** What a server makes of a change. */
    @FunctionalInterface
    public interface Changed<T> {
        T by(T object, ObjectChange change, String fieldManager);
    }

    /** An object. */
    public record Id(String kind, ObjectKey key) {}

    /**
     * Needs nothing but what is given.
     *
     * @param stores by kind
     * @param somebody changes an object in the moment of a write
     */
    public FakeObjects(
            Function<String, FakeStore<T>> stores,
            Changed<T> changed,
            BiConsumer<FakeStore<T>, T> somebody,
            Faults faults) {
        this.stores = stores;
        this.changed = changed;
        this.somebody = somebody;
        this.faults = faults;
    }

    /** Objects of which the server has made a change. */
    public int writes() {
        return writes;
    }

    /** Objects whose last write was rejected: it takes a change of an object to have it tried again. */
    public Set<Id> rejected() {
        return rejected;
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        Id id = new Id(change.kind(), change.key());
        FakeStore<T> store = stores.apply(change.kind());
        Fault fault = faults.next(false);
        if (fault == Fault.REJECTED) {
            rejected.add(id);
        }
        fault.failBefore(faults);
        if (fault == Fault.CONFLICT) {
            store.get(change.key()).ifPresent(object -> somebody.accept(store, object));
        }
        Optional<T> held = store.get(change.key());
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        if (!change.preconditions().holdOn(held.get().metadata())) {
            return outdated(store, change);
        }
        T after = store.put(changed.by(held.get(), change, change.manager().orElse(fieldManager)));
        writes++;
        rejected.remove(id);
        fault.failAfter(faults);
        deliver(store, change, seen -> ResourceVersions.isOlder(
                seen.resourceVersion(), after.metadata().resourceVersion()));
        return new Applied.Written();
    }

    /** The watch brings something newer before the writer goes on. */
    private Applied outdated(FakeStore<T> store, ObjectChange change) {
        deliver(store, change, seen -> change.preconditions().holdOn(seen));
        ApiFailure conflict = Faults.failure(409, "Conflict");
        return change.seen().map(ObjectChange.Seen::cache).orElseThrow().get(change.key()).isPresent()
                ? new Applied.Outdated(conflict)
                : new Applied.Gone();
    }

    private void deliver(FakeStore<T> store, ObjectChange change, Predicate<Metadata> old) {
        ObjectCache<?> cache = change.seen().map(ObjectChange.Seen::cache).orElseThrow();
        boolean more = true;
        while (more && cache.get(change.key()).filter(seen -> old.test(seen.metadata())).isPresent()) {
            more = store.deliver();
        }
    }
}
