package io.nodeward.core.runtime.cache;

import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;

/**
 * The times that a reflector keeps.
 *
 * @param pageSize objects per page where WatchList is not served
 * @param silence the time after which the reflector cuts a stream that brings no byte; most servers send a bookmark each minute
 * @param longestSilence the same for a watch that has brought no byte at all, after several of them: a server whose etcd
 *     reports no progress sends no bookmark
 * @param initialSilence the same while initial events are awaited: a server too old for WatchList never ends them
 * @param watchFor after about this time the server ends a watch, and it is taken up again
 * @param backoff after failures
 */
public record ReflectorSettings(
        int pageSize, Duration silence, Duration longestSilence, Duration initialSilence, Duration watchFor,
        Backoff backoff) {
    public static final ReflectorSettings DEFAULT = new ReflectorSettings(
            500,
            Duration.ofSeconds(90),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            Duration.ofMinutes(7),
            new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30)));
}
