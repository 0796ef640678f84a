package io.nodeward.core.runtime.cache;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Mutex;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of one kind, as last seen. Reads never block. A version older than the one held is never put over it, so
 * that a plan is never made from a state before our own last write. Listeners hear of state changes only: a new
 * resourceVersion alone (a heartbeat) is kept in silence.
 *
 * @param <T> the projected object
 */
public final class ObjectCache<T extends KubernetesObject> implements Store<T> {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectCache.class);

    private final Map<ObjectKey, T> objects = new ConcurrentHashMap<>();
    private final Map<String, Index<T>> indexes = new HashMap<>();
    private final Map<String, Map<String, Set<ObjectKey>>> indexed = new HashMap<>();
    private final List<ChangeListener<T>> listeners = new CopyOnWriteArrayList<>();
    private final Mutex lock = new Mutex();
    private final Condition changed = lock.newCondition();
    private final List<Runnable> onSynced = new CopyOnWriteArrayList<>();
    private volatile boolean synced;
    /** The objects that were held when the server was restored, and have not been seen since; guarded by the lock. */
    private final Set<ObjectKey> outdated = new HashSet<>();
    /** Namespaces whose first list has not been seen; guarded by the lock. */
    private final Set<String> unlisted = new HashSet<>();

    private final HeapBudget budget;
    /** Accounts of objects of which less is kept, as memory was short. */
    private final Set<String> reduced = ConcurrentHashMap.newKeySet();

    @SafeVarargs
    public ObjectCache(Index<T>... indexes) {
        this(HeapBudget.UNLIMITED, indexes);
    }

    /** @param budget with an {@link KubernetesObject#account account} of each object */
    @SafeVarargs
    public ObjectCache(HeapBudget budget, Index<T>... indexes) {
        this.budget = budget;
        for (Index<T> index : indexes) {
            this.indexes.put(index.name(), index);
            this.indexed.put(index.name(), new ConcurrentHashMap<>());
        }
    }

    public Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    public Collection<T> all() {
        return List.copyOf(objects.values());
    }

    public int size() {
        return objects.size();
    }

    /** Returns the objects whose {@code index} has this value, ordered by key. */
    public List<T> find(Index<T> index, String value) {
        return find(index, value, Integer.MAX_VALUE);
    }

    /** Returns no more than so many of these, whichever; the others are not looked at. */
    public List<T> find(Index<T> index, String value, int atMost) {
        // Without the lock: listeners are called under it, and look into other caches.
        return keys(index, value).stream().flatMap(key -> get(key).stream()).limit(atMost) // a key may be gone already
                .sorted(Comparator.comparing(KubernetesObject::key)).toList();
    }

    /** Returns whether there is one, however many there are. */
    public boolean has(Index<T> index, String value) {
        return !keys(index, value).isEmpty();
    }

    /** Returns how many there are. A listener that asks about its own change sees the number after it. */
    public int count(Index<T> index, String value) {
        return keys(index, value).size();
    }

    private Set<ObjectKey> keys(Index<T> index, String value) {
        return keys(index).getOrDefault(value, Set.of());
    }

    private Map<String, Set<ObjectKey>> keys(Index<T> index) {
        Map<String, Set<ObjectKey>> keys = indexed.get(index.name());
        if (keys == null) {
            throw new IllegalArgumentException("no index " + index.name());
        }
        return keys;
    }

    /** Returns whether all that was there at the start has been seen. It stays true from then on. */
    public boolean synced() {
        return synced;
    }

    /** Returns the {@link #expect expected} namespaces that have not been listed yet. */
    public List<String> unlisted() {
        try (Mutex locked = lock.hold()) {
            return unlisted.stream().sorted().toList();
        }
    }

    /** Runs {@code task} once all that was there at the start has been seen: now, if that is so. It must not block. */
    public void whenSynced(Runnable task) {
        try (Mutex locked = lock.hold()) {
            if (synced) {
                task.run();
            } else {
                onSynced.add(task);
            }
        }
    }

    /** Has the listener hear of each change, and, as new, of everything that is there already. */
    public void subscribe(ChangeListener<T> listener) {
        try (Mutex locked = lock.hold()) {
            listeners.add(listener);
            objects.values().forEach(object -> tell(listener, null, object));
        }
    }

    /** Has the listener hear of each change from now on, and of nothing that is there already. */
    public void subscribeToChanges(ChangeListener<T> listener) {
        listeners.add(listener);
    }

    /**
     * Holds what an own write has made of an object, without waiting for the watch to bring it back. Listeners are told
     * only of what others have written between that and {@code before}, as no newer version may come with it.
     *
     * @param planned what it was to make of {@code before}
     * @param after what it has made
     * @return whose place it has taken without telling listeners; empty as well if the watch was quicker, which has told
     *     them, or will
     */
    public Optional<T> recordOwnWrite(T before, T planned, T after) {
        try (Mutex locked = lock.hold()) {
            T held = objects.get(before.key());
            if (held == null || !held.sameVersion(before) && !isOlder(held, after)) {
                return Optional.empty();
            }
            set(held, fitting(held, after));
            changed.signalAll();
            if (held.sameState(before) && after.sameState(planned)) {
                return Optional.of(held);
            }
            tell(held, after);
            return Optional.empty();
        }
    }

    /**
     * Waits until what is held of {@code key}, which may be nothing, is as wanted.
     *
     * @return what is held then, or when the time is up
     */
    public Optional<T> await(ObjectKey key, Predicate<Optional<T>> wanted, Duration patience)
            throws InterruptedException {
        long nanos = patience.toNanos();
        try (Mutex locked = lock.hold()) {
            while (!wanted.test(get(key)) && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
            return get(key);
        }
    }

    @Override
    public void put(T object) {
        try (Mutex locked = lock.hold()) {
            T held = objects.get(object.key());
            if (held == null || !isOlder(object, held)) {
                T kept = fitting(held, object);
                set(held, kept);
                if (held == null || !held.sameState(kept)) {
                    tell(held, kept);
                }
                changed.signalAll();
            }
        }
    }

    /**
     * Does as {@link #put}, if the cache holds any version: an object that was read outside the watch may be gone by now, as
     * the watch has shown.
     */
    public void refresh(T object) {
        try (Mutex locked = lock.hold()) {
            if (objects.containsKey(object.key())) {
                put(object);
            }
        }
    }

    @Override
    public void remove(T last) {
        try (Mutex locked = lock.hold()) {
            T held = objects.get(last.key());
            if (held != null && !isOlder(last, held)) {
                unset(held);
            }
        }
    }

    @Override
    public void replace(Set<ObjectKey> listed) {
        replace(listed, "");
    }

    /**
     * Does as {@link #replace(Set)}, for a list of one namespace. All is seen when each that is {@link #expect expected} has been
     * listed.
     *
     * @param namespace empty for all
     */
    public void replace(Set<ObjectKey> listed, String namespace) {
        try (Mutex locked = lock.hold()) {
            in(namespace).filter(held -> !listed.contains(held.key())).toList().forEach(this::unset);
            unlisted.remove(namespace);
            if (namespace.isEmpty() || unlisted.isEmpty()) {
                synced = true;
                onSynced.forEach(Runnable::run);
                onSynced.clear();
            }
        }
    }

    /** @param namespace that will be listed by itself; empty for all */
    public void expect(String namespace) {
        try (Mutex locked = lock.hold()) {
            if (!namespace.isEmpty()) {
                unlisted.add(namespace);
            }
        }
    }

    @Override
    public String newest() {
        return newest("");
    }

    /** Returns the same as {@link #newest()}, of one namespace; empty for all. */
    public String newest(String namespace) {
        try (Mutex locked = lock.hold()) {
            return in(namespace).filter(held -> !outdated.contains(held.key()))
                    .map(held -> held.metadata().resourceVersion())
                    .reduce("", (one, other) -> one.isEmpty() || ResourceVersions.isOlder(one, other) ? other : one);
        }
    }

    @Override
    public String newerThan(T object) {
        try (Mutex locked = lock.hold()) {
            T held = objects.get(object.key());
            return held != null && isOlder(object, held) ? held.metadata().resourceVersion() : "";
        }
    }

    @Override
    public void restored() {
        restored("");
    }

    /** Does the same as {@link #restored()}, of one namespace; empty for all. */
    public void restored(String namespace) {
        try (Mutex locked = lock.hold()) {
            in(namespace).map(KubernetesObject::key).forEach(outdated::add);
        }
    }

    private Stream<T> in(String namespace) {
        return objects.values().stream()
                .filter(held -> namespace.isEmpty() || held.key().namespace().equals(namespace));
    }

    /** There is no such kind, and so no object. */
    public void replaceWithNothing() {
        replace(Set.of());
    }

    private boolean isOlder(T object, T held) {
        return !outdated.contains(held.key()) && ResourceVersions.isOlder(
                object.metadata().resourceVersion(), held.metadata().resourceVersion());
    }

    private void set(@Nullable T held, T object) {
        objects.put(object.key(), object);
        outdated.remove(object.key());
        for (Index<T> index : indexes.values()) {
            try {
                reindex(index, held, object);
            } catch (RuntimeException e) {
                undo(held, object, index);
                throw e;
            }
        }
        count(held, object);
        missing(object.truncatedFields(), held == null ? List.of() : held.truncatedFields()).stream()
                .filter(field -> !field.endsWith(KubernetesObject.SHORT_OF_MEMORY)).forEach(field -> LOG.warn(
                        "{} {}: {} is longer than what is kept of one object, so it is not known whole; make it shorter",
                        object.getClass().getSimpleName(), object.key(), field));
    }

    /** Returns what is kept of an object in the place of another. */
    @SuppressWarnings("unchecked") // an object is reduced to one of its kind
    private T fitting(@Nullable T held, T object) {
        String account = object.account();
        if (account.isEmpty()) {
            return object;
        }
        long more = held != null && held.account().equals(account) ? object.growth(held) : object.heapBytes();
        if (budget.fits(account, more)) {
            return object;
        }
        T less = (T) object.reduced();
        if (less != object) {
            reduced.add(account);
        }
        return less;
    }

    /** Counts bytes that a listener keeps of objects that the cache does not hold any more, or fewer if {@code bytes} is negative. */
    public void charge(String account, long bytes) {
        budget.add(account, bytes);
    }

    private void count(@Nullable T before, @Nullable T after) {
        count(before, -1);
        count(after, 1);
    }

    private void count(@Nullable T object, int sign) {
        if (object != null && !object.account().isEmpty()) {
            budget.add(object.account(), sign * object.heapBytes());
        }
    }

    /**
     * Returns whether less is kept of an object of the namespace, as memory was short, and forgets it: the caller has all objects
     * of the namespace read again.
     *
     * @param namespace empty for all
     */
    public boolean takeReduced(String namespace) {
        if (!namespace.isEmpty()) {
            return reduced.remove(namespace);
        }
        boolean any = !reduced.isEmpty();
        reduced.clear();
        return any;
    }

    /** Takes the object out again: if it stayed, it would be no change when it is put again, and nobody would hear of it. */
    private void undo(@Nullable T held, T object, Index<T> failed) {
        indexes.values().stream().takeWhile(index -> index != failed).forEach(index -> reindex(index, object, held));
        objects.compute(object.key(), (key, put) -> held);
    }

    private void unset(T held) {
        objects.remove(held.key());
        outdated.remove(held.key());
        count(held, null);
        indexes.values().forEach(index -> reindex(index, held, null));
        tell(held, null);
        changed.signalAll();
    }

    private void reindex(Index<T> index, @Nullable T before, @Nullable T after) {
        List<String> was = before == null ? List.of() : index.values().apply(before);
        List<String> is = after == null ? List.of() : index.values().apply(after);
        if (was.equals(is)) {
            return;
        }
        Map<String, Set<ObjectKey>> keys = keys(index);
        if (before != null) {
            missing(was, is).forEach(value -> keys.computeIfPresent(value, (v, set) -> without(set, before.key())));
        }
        if (after != null) {
            missing(is, was).forEach(value -> keys.merge(value, Set.of(after.key()), ObjectCache::union));
        }
    }

    /** Returns the values of the first list that the second does not have. */
    private static List<String> missing(List<String> of, List<String> in) {
        if (of.isEmpty() || in.isEmpty()) {
            return of;
        }
        Set<String> there = new HashSet<>(in);
        return of.stream().filter(value -> !there.contains(value)).toList();
    }

    // Nearly every set has one key (one Node per providerID): immutable sets of one are the smallest.
    private static @Nullable Set<ObjectKey> without(Set<ObjectKey> keys, ObjectKey key) {
        if (keys.size() == 1) {
            return keys.contains(key) ? null : keys;
        }
        keys.remove(key);
        return keys.size() == 1 ? Set.copyOf(keys) : keys;
    }

    // Read by others meanwhile.
    private static Set<ObjectKey> union(Set<ObjectKey> keys, Set<ObjectKey> more) {
        if (keys.containsAll(more)) {
            return keys;
        }
        Set<ObjectKey> several = keys;
        if (keys.size() == 1) {
            several = ConcurrentHashMap.newKeySet();
            several.addAll(keys);
        }
        several.addAll(more);
        return several;
    }

    private void tell(@Nullable T before, @Nullable T after) {
        listeners.forEach(listener -> tell(listener, before, after));
    }

    /** Tells a listener. Each is another controller's: one that fails keeps nothing from the others. */
    private void tell(ChangeListener<T> listener, @Nullable T before, @Nullable T after) {
        try {
            listener.changed(before, after);
        } catch (RuntimeException e) {
            T object = after == null ? before : after;
            LOG.error("{}: a map function failed, and its controller misses this change; fix the function",
                    object == null ? "" : object.getClass().getSimpleName() + " " + object.key(), e);
        }
    }
}
