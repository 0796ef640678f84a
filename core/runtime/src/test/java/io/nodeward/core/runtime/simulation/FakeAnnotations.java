package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.AnnotationUpdate;
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

/**
 * Changes of annotations, as a server makes them, which may fail.
 *
 * @param <T> the projected object
 */
public final class FakeAnnotations<T extends KubernetesObject> implements ObjectWriter {
    private final Function<String, FakeStore<T>> stores;
    private final Function<String, ObjectCache<T>> caches;
    private final Changed<T> changed;
    private final BiConsumer<FakeStore<T>, T> somebody;
    private final Faults faults;
    private final Set<Id> rejected = new HashSet<>();
    private int writes;

    /** What a server makes of a change. */
    @FunctionalInterface
    public interface Changed<T> {
        T by(T object, AnnotationUpdate update, String fieldManager);
    }

    /** An object. */
    public record Id(String kind, ObjectKey key) {}

    /**
     * Needs nothing but what is given.
     *
     * @param stores by kind
     * @param caches by kind
     * @param somebody changes an object in the moment of a write
     */
    public FakeAnnotations(
            Function<String, FakeStore<T>> stores,
            Function<String, ObjectCache<T>> caches,
            Changed<T> changed,
            BiConsumer<FakeStore<T>, T> somebody,
            Faults faults) {
        this.stores = stores;
        this.caches = caches;
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
        AnnotationUpdate update = (AnnotationUpdate) change;
        ObjectKey key = update.target().regarding().key();
        FakeStore<T> store = stores.apply(update.kind());
        Fault fault = faults.next(false);
        if (fault == Fault.REJECTED) {
            rejected.add(new Id(update.kind(), key));
        }
        fault.failBefore(faults);
        if (fault == Fault.CONFLICT) {
            store.get(key).ifPresent(object -> somebody.accept(store, object));
        }
        Optional<T> held = store.get(key);
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        T before = held.get();
        if (!isPlannedFrom(update, before)) {
            return outdated(store, update);
        }
        T after = store.put(changed.by(before, update, fieldManager));
        writes++;
        rejected.remove(new Id(update.kind(), key));
        fault.failAfter(faults);
        caches.apply(update.kind()).recordOwnWrite(before, after, after);
        return new Applied.Written();
    }

    private static boolean isPlannedFrom(AnnotationUpdate update, KubernetesObject object) {
        return object.metadata().resourceVersion().equals(update.target().regarding().resourceVersion());
    }

    /** The watch brings something newer before the writer goes on. */
    private Applied outdated(FakeStore<T> store, AnnotationUpdate update) {
        ObjectKey key = update.target().regarding().key();
        ObjectCache<T> cache = caches.apply(update.kind());
        boolean more = true;
        while (more && cache.get(key).filter(held -> isPlannedFrom(update, held)).isPresent()) {
            more = store.deliver();
        }
        ApiFailure conflict = Faults.failure(409, "Conflict");
        return cache.get(key).isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
    }
}
