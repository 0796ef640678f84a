package io.nodeward.e2e.bench.load;

import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Kubelets that say every ten seconds that they are alive, evenly spread, until it is closed. */
public final class Heartbeats implements AutoCloseable {
    /** Prime: a fleet's kubelets beat in an order that no other work has. */
    private static final long STRIDE = 7919;

    private static final Duration PERIOD = Duration.ofSeconds(10);
    /** More than wait for an answer while a burst has both cores: fewer would slow the kubelets down, which nobody does. */
    private static final int AT_ONCE = 1_000;
    private static final int TRIES = 5;

    private final BenchFleet fleet;
    private final int size;
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final Thread beating;
    private volatile boolean closed;

    private Heartbeats(BenchFleet fleet, int size) {
        this.fleet = fleet;
        this.size = size;
        this.beating = Thread.ofPlatform().daemon().name("bench heartbeats").unstarted(this::beat);
    }

    /** Of the first {@code size} Nodes. */
    public static Heartbeats start(BenchFleet fleet, int size) {
        Heartbeats heartbeats = new Heartbeats(fleet, size);
        heartbeats.beating.start();
        return heartbeats;
    }

    /** How many there have been. */
    public int sent() {
        return sent.get();
    }

    private void beat() {
        long start = System.nanoTime();
        long step = PERIOD.toNanos() / size;
        for (int k = 0; !closed; k++) {
            Pause.until(start + k * step);
            free.acquireUninterruptibly();
            int index = (int) (k * STRIDE % size);
            Thread.ofVirtual().start(() -> {
                try {
                    beat(index);
                    sent.incrementAndGet();
                } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                } finally {
                    free.release();
                }
            });
        }
    }

    /** Once more if it was not taken, as a kubelet does: a connection carries so many requests at a time and no more. */
    private void beat(int index) {
        for (int tries = 1;; tries++) {
            try {
                fleet.heartbeat(index, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
                return;
            } catch (ApiFailure.Unreachable e) {
                if (tries == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Returns when the last is answered. */
    @Override
    public void close() {
        closed = true;
        try {
            beating.join();
        } catch (InterruptedException e) {
            throw Pause.interrupted(e);
        }
        free.acquireUninterruptibly(AT_ONCE);
        RuntimeException first = failure.get();
        if (first != null) {
            throw new IllegalStateException("a heartbeat failed: " + first.getMessage(), first);
        }
    }
}
