package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which version of Cluster API a server has, on a thread of its own, however long that takes. */
final class ClusterApiDiscovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterApiDiscovery.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(15));
    /** Those we read, the newest first. */
    private static final List<String> KNOWN = List.of("v1beta2", "v1beta1");

    private final ApiServer server;
    private final boolean kinds;
    private final Timers timers;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    /** @param kinds whether to ask for the kinds as well */
    ClusterApiDiscovery(ApiServer server, boolean kinds, Timers timers) {
        this.server = server;
        this.timers = timers;
        this.kinds = kinds;
    }

    /**
     * What a server has.
     *
     * @param version the newest of those we read
     * @param plurals of its kinds; empty where they were not asked for
     */
    record Served(String version, Set<String> plurals) {}

    /** Tells {@code found} once, unless it is closed before; does nothing while it is at it. */
    void find(Consumer<Served> found) {
        if (closed || !running.compareAndSet(false, true)) {
            return;
        }
        Thread started = Thread.ofVirtual().name("nodeward-discovery").unstarted(() -> {
            try {
                Served served = ask();
                if (served != null) {
                    found.accept(served);
                }
            } finally {
                running.set(false); // not before: two at a time would take each other's watches down
            }
        });
        thread = started;
        started.start();
    }

    private @Nullable Served ask() {
        for (int failures = 1; !closed; failures++) {
            try {
                String version = newest(Replies.groupVersions(server.get("/apis/" + ClusterApi.GROUP)));
                Set<String> plurals = kinds
                        ? Replies.resources(server.get("/apis/" + ClusterApi.GROUP + "/" + version))
                        : Set.of();
                return closed ? null : new Served(version, plurals);
            } catch (ApiFailure | IOException e) {
                Duration delay = BACKOFF.delay(failures);
                LOG.warn("{} is not to be had yet: {}; again in {} ms", ClusterApi.GROUP, e.getMessage(),
                        delay.toMillis());
                pause(delay);
            }
        }
        return null;
    }

    private static String newest(List<String> versions) throws IOException {
        for (String known : KNOWN) {
            if (versions.contains(known)) {
                return known;
            }
        }
        throw new IOException("served are " + versions + ", Nodeward reads v1beta2 and v1beta1");
    }

    private void pause(Duration delay) {
        try {
            timers.sleep(delay);
        } catch (InterruptedException e) {
            closed = true; // nobody else interrupts
        }
    }

    @Override
    public void close() {
        closed = true;
        Thread asking = thread;
        if (asking != null) {
            asking.interrupt();
        }
    }
}
