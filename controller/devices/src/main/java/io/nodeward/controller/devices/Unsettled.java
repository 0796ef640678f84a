package io.nodeward.controller.devices;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * What has changed of one kind and has not been worked off. Safe for many threads that add; one works off.
 *
 * @param <K> by what it is found
 */
final class Unsettled<K> {
    private final Set<K> keys = ConcurrentHashMap.newKeySet();

    void add(K key) {
        keys.add(key);
    }

    /** Works off all, each of them once. One that fails stays, and holds up no other; returns the first failure. */
    Optional<RuntimeException> settle(Consumer<K> how) {
        Optional<RuntimeException> first = Optional.empty();
        for (K key : Set.copyOf(keys)) {
            keys.remove(key); // before it is read: a change from here on adds it again
            FutureTask<?> task = new FutureTask<>(() -> how.accept(key), null);
            task.run();
            if (task.state() == Future.State.FAILED) {
                keys.add(key);
                first = first.or(() -> Optional.of(failure(task.exceptionNow())));
            }
        }
        return first;
    }

    private static RuntimeException failure(Throwable thrown) {
        return thrown instanceof RuntimeException failure ? failure : new IllegalStateException(thrown);
    }
}
