package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.Ownership;
import io.nodeward.core.apply.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The objects of one kind, and its last changes in order, which watches and older pages are made from. */
final class Store {
    /** One write. {@code after} is null for a deletion. */
    record Change(long version, @Nullable Stored before, @Nullable Stored after) {}

    /** What was there at a version, and where the log goes on from it. */
    record Snapshot(List<Stored> objects, long version, long next) {}

    private final Kind kind;
    private final Shape.Fields shape;
    private final AtomicLong versions;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final NavigableMap<String, Stored> objects = new ConcurrentSkipListMap<>();
    private final @Nullable Change[] log;
    private long first;
    private long next;
    /** Changes up to this version are forgotten. */
    private long forgotten;

    /** @param versions one counter for all kinds */
    Store(Kind kind, AtomicLong versions, int history) {
        this.kind = kind;
        this.shape = Shape.of(kind.places());
        this.versions = versions;
        this.log = new Change[history];
    }

    static String key(String namespace, String name) {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }

    Kind kind() {
        return kind;
    }

    Shape.Fields shape() {
        return shape;
    }

    @Nullable
    Stored find(String namespace, String name) {
        return objects.get(key(namespace, name));
    }

    Stored get(String namespace, String name) {
        Stored stored = find(namespace, name);
        if (stored == null) {
            throw Refusal.notFound(kind, name);
        }
        return stored;
    }

    /**
     * Stores {@code after}, or deletes if it is null, provided that the object is still {@code before}.
     *
     * @param owners of what is stored
     * @return what is stored now, or was deleted, under its new version; empty if another write came first
     */
    Optional<Stored> commit(
            String key, @Nullable Stored before, @Nullable ObjectNode after, Ownership owners) {
        lock.lock();
        try {
            if (objects.get(key) != before) {
                return Optional.empty();
            }
            long version = versions.incrementAndGet();
            if (after == null) {
                objects.remove(key);
                append(new Change(version, before, null));
                return Optional.ofNullable(before);
            }
            Stored stored = new Stored(after, owners, version);
            objects.put(key, stored);
            append(new Change(version, before, stored));
            return Optional.of(stored);
        } finally {
            lock.unlock();
        }
    }

    private void append(Change change) {
        if (next - first == log.length) {
            forgotten = at(first).version();
            first++;
        }
        log[(int) (next % log.length)] = change;
        next++;
        changed.signalAll();
    }

    private Change at(long position) {
        Change change = log[(int) (position % log.length)];
        if (change == null) {
            throw new IllegalStateException("no change at " + position);
        }
        return change;
    }

    /**
     * @param version the state to show; 0 for the newest
     * @param from smallest key
     */
    Snapshot snapshot(String namespace, long version, String from) {
        lock.lock();
        try {
            requireReached(version);
            long current = versions.get();
            if (version > 0 && version < forgotten) {
                throw Refusal.expired("The provided resource version is too old: " + version + " (" + current + ")");
            }
            boolean newest = version == 0 || next == first || version >= at(next - 1).version();
            NavigableMap<String, Stored> all = newest ? objects : undone(version);
            return new Snapshot(range(all, namespace, from), version == 0 ? current : version, next);
        } finally {
            lock.unlock();
        }
    }

    /** 504 for a version that does not exist yet. */
    void requireReached(long version) {
        if (version > versions.get()) {
            throw Refusal.tooLargeVersion(version, versions.get());
        }
    }

    // History is short and kept with what was there before, so an older state is the newest one with changes taken back.
    private NavigableMap<String, Stored> undone(long version) {
        NavigableMap<String, Stored> all = new TreeMap<>(objects);
        for (long i = next - 1; i >= first && at(i).version() > version; i--) {
            Stored before = at(i).before();
            Stored after = at(i).after();
            if (after != null) {
                all.remove(key(after.namespace(), after.name()));
            }
            if (before != null) {
                all.put(key(before.namespace(), before.name()), before);
            }
        }
        return all;
    }

    private List<Stored> range(NavigableMap<String, Stored> all, String namespace, String from) {
        String low = namespace.isEmpty() ? "" : namespace + "/";
        NavigableMap<String, Stored> part = all.tailMap(from.compareTo(low) > 0 ? from : low, true);
        // '0' follows '/': the end of the keys of this namespace
        return new ArrayList<>((namespace.isEmpty() ? part : part.headMap(namespace + "0", false)).values());
    }

    /** Where a watch from {@code version} goes on. */
    long positionAfter(long version) {
        lock.lock();
        try {
            if (version < forgotten) {
                throw Refusal.expired("too old resource version: " + version + " (" + forgotten + ")");
            }
            long position = next;
            while (position > first && at(position - 1).version() > version) {
                position--;
            }
            return position;
        } finally {
            lock.unlock();
        }
    }

    /** Changes from a position on; waits for one for so long, and answers none if none came or {@code over}. */
    List<Change> changes(long position, long waitNanos, BooleanSupplier over) throws InterruptedException {
        lock.lock();
        try {
            long left = waitNanos;
            while (position == next && left > 0 && !over.getAsBoolean()) {
                left = changed.awaitNanos(left);
            }
            if (position < first) {
                throw Refusal.expired("too old resource version: the watch fell behind");
            }
            List<Change> changes = new ArrayList<>();
            for (long i = position; i < next && changes.size() < 1000; i++) {
                changes.add(at(i));
            }
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** The version up to which a watch that has seen everything before {@code position} has seen all; 0 if it has not. */
    long seenUpTo(long position) {
        lock.lock();
        try {
            return position == next ? versions.get() : 0;
        } finally {
            lock.unlock();
        }
    }

    void forget() {
        lock.lock();
        try {
            forgotten = versions.get();
            first = next;
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
