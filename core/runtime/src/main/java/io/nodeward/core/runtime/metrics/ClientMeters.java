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

    /** @param host {@code management} or {@code workload}: a tag per server would grow with the fleet */
    public ClientMeters(MeterRegistry registry, String host) {
        this.registry = registry;
        this.host = host;
    }

    /**
     * @param code HTTP status, or {@code <error>} if no answer came
     * @param nanos until the answer's head was there
     */
    public void answered(String method, String code, long nanos) {
        requests.computeIfAbsent(method + code, key -> requests(method, code)).increment();
        durations.computeIfAbsent(method, this::duration).record(nanos, TimeUnit.NANOSECONDS);
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
