package io.nodeward.e2e.controlplane;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waiting for what nothing announces: a process that gets ready, a file that stops to grow. */
final class Polling {
    private static final Duration INTERVAL = Duration.ofMillis(50);

    private Polling() {}

    /** @throws IllegalStateException after {@code atMost}, with the text of {@code failure} */
    static void until(BooleanSupplier done, Duration atMost, Supplier<String> failure) {
        long start = System.nanoTime();
        while (!done.getAsBoolean()) {
            if (System.nanoTime() - start > atMost.toNanos()) {
                throw new IllegalStateException(failure.get());
            }
            pause();
        }
    }

    static void pause() {
        try {
            Thread.sleep(INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
