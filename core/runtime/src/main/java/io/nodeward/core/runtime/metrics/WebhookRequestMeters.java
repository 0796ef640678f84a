package io.nodeward.core.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The {@code controller_runtime_webhook_*} meters of one webhook, which controller-runtime names by its path. */
public final class WebhookRequestMeters {
    private static final String WEBHOOK = "webhook";
    private static final String NO_ANSWER = "none";

    private final MeterRegistry registry;
    private final String path;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Timer latency;

    public WebhookRequestMeters(MeterRegistry registry, String path) {
        this.registry = registry;
        this.path = path;
        this.latency = Timer.builder("controller.runtime.webhook.latency").tag(WEBHOOK, path)
                .serviceLevelObjectives(Buckets.SHORT)
                .description("From the headers of a request to the end of its answer").register(registry);
        Gauge.builder("controller.runtime.webhook.requests.in.flight", inFlight, AtomicInteger::get)
                .tag(WEBHOOK, path).description("Requests that are not answered yet").register(registry);
        List.of("200", "500").forEach(this::requests);
    }

    private Counter requests(String code) {
        return Counter.builder("controller.runtime.webhook.requests").tag(WEBHOOK, path).tag("code", code)
                .description("Requests by the code of HTTP with which they were answered").register(registry);
    }

    public void began() {
        inFlight.incrementAndGet();
    }

    /** @param code of HTTP; empty if no answer was sent */
    public void ended(Optional<Integer> code, Duration took) {
        inFlight.decrementAndGet();
        latency.record(took);
        requests(code.map(String::valueOf).orElse(NO_ANSWER)).increment();
    }
}
