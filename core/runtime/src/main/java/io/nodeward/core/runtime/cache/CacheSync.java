package io.nodeward.core.runtime.cache;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** Waits for several caches at once. */
public final class CacheSync {
    private CacheSync() {}

    /** Whether all that was there at the start has been seen, in each of them. */
    public static boolean isSynced(Collection<? extends ObjectCache<?>> caches) {
        return caches.stream().allMatch(ObjectCache::synced);
    }

    /** Runs {@code task} once, on a thread of its own, when {@link #isSynced}; at once for none. */
    public static void whenSynced(Collection<? extends ObjectCache<?>> caches, Runnable task) {
        List<ObjectCache<?>> all = List.copyOf(caches);
        AtomicBoolean ran = new AtomicBoolean();
        Runnable check = () -> {
            if (isSynced(all) && ran.compareAndSet(false, true)) {
                Thread.ofVirtual().name("nodeward-start").start(task);
            }
        };
        all.forEach(cache -> cache.whenSynced(check));
        check.run(); // for none
    }
}
