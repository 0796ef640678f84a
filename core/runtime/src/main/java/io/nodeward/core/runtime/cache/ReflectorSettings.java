package io.nodeward.core.runtime.cache;

import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;

/**
 * How a reflector keeps time.
 *
 * @param pageSize objects per page where WatchList is not served
 * @param silence a stream without a byte for this long is dead; servers send a bookmark about once a minute
 * @param initialSilence the same while initial events are awaited: a server too old for WatchList never ends them
 * @param watchFor after about this time the server ends a watch, and it is taken up again
 * @param backoff after failures
 */
public record ReflectorSettings(
        int pageSize, Duration silence, Duration initialSilence, Duration watchFor, Backoff backoff) {
    public static final ReflectorSettings DEFAULT = new ReflectorSettings(
            500,
            Duration.ofSeconds(90),
            Duration.ofSeconds(30),
            Duration.ofMinutes(7),
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)));
}
