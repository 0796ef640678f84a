package io.nodeward.controller.devices;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Works off all; what fails stays. */
    void settle(Consumer<K> how) {
        for (K key : keys) {
            keys.remove(key); // before it is read: a change from here on adds it again
            boolean done = false;
            try {
                how.accept(key);
                done = true;
            } finally {
                if (!done) {
                    keys.add(key);
                }
            }
        }
    }
}
