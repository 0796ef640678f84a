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
    /** The versions that we read, the newest first. */
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
     * One answer.
     *
     * @param newest the newest version that we read and the group serves, of whatever kind
     * @param versions the newest version that we read and that has the kind, by plural
     * @param asked when, in nanoseconds of {@link Timers#nanoTime}
     */
    record Served(String newest, Map<String, String> versions, long asked) {}

    /** Whether the one version is older than the other; none is the oldest. */
    static boolean isOlder(String version, String than) {
        return age(version) > age(than);
    }

    private static int age(String version) {
        int age = KNOWN.indexOf(version);
        return age < 0 ? KNOWN.size() : age;
    }

    /** Gives one answer to {@code found}, unless this is closed before; does nothing while a question is on its way. */
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
                Served served = served(timers.nanoTime(), Replies.groupVersions(server.get(GROUP)));
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

    private Served served(long asked, List<String> versions) throws IOException {
        Map<String, String> served = new HashMap<>();
        List<String> read = KNOWN.stream().filter(versions::contains).toList();
        for (String version : read) {
            Replies.resources(server.get(GROUP + "/" + version)).forEach(plural -> served.putIfAbsent(plural, version));
        }
        if (served.isEmpty()) {
            throw new IOException("served are " + versions + ", Nodeward reads v1beta2 and v1beta1");
        }
        return new Served(read.getFirst(), served, asked);
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
