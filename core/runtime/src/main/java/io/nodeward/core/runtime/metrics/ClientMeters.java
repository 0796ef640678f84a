package io.nodeward.core.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The {@code rest_client_*} meters of the requests to one kind of API server. */
public final class ClientMeters {
    private final MeterRegistry registry;
    private final String host;
    private final Map<String, Counter> requests = new ConcurrentHashMap<>();
    private final Map<String, Timer> durations = new ConcurrentHashMap<>();

    /** @param host {@code management}, {@code workload}, {@code probe} or {@code lease}: a tag per server would grow with the fleet */
    public ClientMeters(MeterRegistry registry, String host) {
        this.registry = registry;
        this.host = host;
    }

    /**
     * An answer came. A server may choose any status, and a series lasts as long as the process: only those of a closed
     * set have a series of their own.
     *
     * @param status HTTP status, or whatever the server says is one
     * @param nanos until the answer's head was there
     */
    public void answered(String method, int status, long nanos) {
        count(method, code(status), nanos);
    }

    /** No answer came; counted with the code {@code <error>}. */
    public void unanswered(String method, long nanos) {
        count(method, "<error>", nanos);
    }

    private void count(String method, String code, long nanos) {
        requests.computeIfAbsent(method + code, key -> requests(method, code)).increment();
        durations.computeIfAbsent(method, this::duration).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** As API servers and proxies before them answer; another is counted by its class, or as {@code other}. */
    private static String code(int status) {
        return switch (status) {
            case 101, 200, 201, 202, 204, 301, 302, 304, 307, 308,
                    400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 415, 421, 422, 429,
                    500, 501, 502, 503, 504 -> Integer.toString(status);
            default -> status >= 100 && status < 600 ? status / 100 + "xx" : "other";
        };
    }

    private Counter requests(String method, String code) {
        return Counter.builder("rest.client.requests").tags("method", method, "code", code, "host", host)
                .description("Requests by HTTP status").register(registry);
    }

    private Timer duration(String method) {
        return Timer.builder("rest.client.request.duration").tags("verb", method, "host", host)
                .serviceLevelObjectives(Buckets.SHORT)
                .description("How long answers take to begin").register(registry);
    }
}
