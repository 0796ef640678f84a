package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.metrics.ControllerMeters;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Changes that a map function of one controller has failed for. They are mapped again: nothing else would tell of them. */
final class FailedMappings {
    private static final Logger LOG = LoggerFactory.getLogger(FailedMappings.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMinutes(2));
    /** Changes that wait to be mapped again: each has the object as it was and as it is. */
    static final int MOST = 1000;

    private final ControllerMeters meters;
    private final Timers timers;
    private final AtomicInteger waiting = new AtomicInteger();

    FailedMappings(ControllerMeters meters, Timers timers) {
        this.meters = meters;
        this.timers = timers;
    }

    /**
     * Maps a change again for which a map function has failed.
     *
     * @param change what is mapped, for logs
     * @param mapping adds keys to the queue
     */
    void retry(String change, Runnable mapping, RuntimeException failure) {
        meters.mapFailed();
        if (waiting.getAndUpdate(count -> Math.min(count + 1, MOST)) < MOST) {
            later(change, mapping, 1, failure);
        } else {
            LOG.error("{}: a map function failed, as for {} other changes, and its controller misses this one; fix the"
                    + " function", change, MOST, failure);
        }
    }

    private void later(String change, Runnable mapping, int failures, RuntimeException failure) {
        Duration delay = BACKOFF.delay(failures);
        LOG.atLevel(failures == 1 ? Level.ERROR : Level.DEBUG).setCause(failure)
                .log("{}: a map function failed; again in {} ms; fix the function", change, delay.toMillis());
        timers.after(delay, () -> {
            try {
                mapping.run();
                waiting.decrementAndGet();
            } catch (RuntimeException e) {
                meters.mapFailed();
                later(change, mapping, failures + 1, e);
            }
        });
    }
}
