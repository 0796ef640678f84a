package io.nodeward.e2e.bench.load;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Kubelets that say every ten seconds that they are alive, evenly spread, until it is closed. */
public final class Heartbeats implements AutoCloseable {
    /** Prime: a fleet's kubelets beat in an order that no other work has. */
    private static final long STRIDE = 7919;

    private static final Duration PERIOD = Duration.ofSeconds(10);
    /** More than wait for an answer while a burst has both cores: fewer would slow the kubelets down, which nobody does. */
    private static final int AT_ONCE = 1_000;
    /** What a server takes over one HTTP/2 connection at the same time. */
    private static final int STREAMS = 100;

    private static final int TRIES = 5;
    private static final Duration BEFORE_RETRY = Duration.ofMillis(200);

    private final BenchFleet fleet;
    private final int size;
    private final List<ApiServer> connections;
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private final Semaphore free = new Semaphore(AT_ONCE);
    private final Thread beating;
    private volatile boolean closed;

    private Heartbeats(Testbed bed) {
        this.fleet = bed.fleet();
        this.size = bed.size();
        this.connections = Stream.generate(bed::connectKubelets).limit(AT_ONCE / STREAMS).toList();
        this.beating = Thread.ofPlatform().daemon().name("bench heartbeats").unstarted(this::beat);
    }

    /** Of all Nodes, over connections that nobody else uses, as each kubelet has its own. */
    public static Heartbeats start(Testbed bed) {
        Heartbeats heartbeats = new Heartbeats(bed);
        heartbeats.beating.start();
        return heartbeats;
    }

    /** How many there have been. */
    public int sent() {
        return sent.get();
    }

    /** Of the heartbeats that this time should have brought, how many were sent; 1 is all. */
    public double share(int sent, double seconds) {
        return sent / seconds * PERIOD.toSeconds() / size;
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

    /** Once more if it was not taken, as a kubelet does. */
    private void beat(int index) {
        ApiServer by = connections.get(index % connections.size());
        for (int tries = 1;; tries++) {
            try {
                fleet.heartbeat(by, index, Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
                return;
            } catch (ApiFailure.Unreachable e) {
                if (tries == TRIES) {
                    throw e;
                }
                Pause.of(BEFORE_RETRY);
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
        connections.forEach(ApiServer::close);
        RuntimeException first = failure.get();
        if (first != null) {
            throw new IllegalStateException("a heartbeat failed: " + first.getMessage(), first);
        }
    }
}
