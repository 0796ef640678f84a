package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out which version has each kind of Cluster API, on a thread of its own, however long that takes. */
final class ClusterApiDiscovery implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterApiDiscovery.class);
    private static final String GROUP = "/apis/" + ClusterApi.GROUP;
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(15));
    /** Those we read, the newest first. */
    private static final List<String> KNOWN = List.of("v1beta2", "v1beta1");
    static final String NEWEST = KNOWN.getFirst();

    private final ApiServer server;
    private final Timers timers;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    ClusterApiDiscovery(ApiServer server, Timers timers) {
        this.server = server;
        this.timers = timers;
    }

    /**
     * Tells {@code found} once, by plural, the newest version we read that has the kind, unless it is closed before; does
     * nothing while it is at it.
     */
    void find(Consumer<Map<String, String>> found) {
        if (closed || !running.compareAndSet(false, true)) {
            return;
        }
        Thread started = Thread.ofVirtual().name("nodeward-discovery").unstarted(() -> {
            try {
                Map<String, String> served = ask();
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

    private @Nullable Map<String, String> ask() {
        for (int failures = 1; !closed; failures++) {
            try {
                Map<String, String> served = served(Replies.groupVersions(server.get(GROUP)));
                return closed ? null : served;
            } catch (ApiFailure | IOException e) {
                Duration delay = BACKOFF.delay(failures);
                LOG.warn("{} is not to be had yet: {}; again in {} ms", ClusterApi.GROUP, e.getMessage(),
                        delay.toMillis());
                pause(delay);
            }
        }
        return null;
    }

    private Map<String, String> served(List<String> versions) throws IOException {
        Map<String, String> served = new HashMap<>();
        for (String known : KNOWN) {
            if (versions.contains(known)) {
                Replies.resources(server.get(GROUP + "/" + known)).forEach(plural -> served.putIfAbsent(plural, known));
            }
        }
        if (served.isEmpty()) {
            throw new IOException("served are " + versions + ", Nodeward reads v1beta2 and v1beta1");
        }
        return served;
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
