package io.nodeward.core.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The {@code controller_runtime_*} meters of one controller. */
public final class ControllerMeters {
    private final AtomicInteger active = new AtomicInteger();
    private final Map<String, Counter> results;
    private final Counter errors;
    private final Counter terminalErrors;
    private final Counter panics;
    private final Counter mapFailures;
    private final Timer time;

    public ControllerMeters(MeterRegistry registry, String name, int workers) {
        this.results = Stream.of("success", "error", "requeue", "requeue_after")
                .collect(Collectors.toMap(result -> result, result -> total(registry, name, result)));
        this.errors = Counter.builder("controller.runtime.reconcile.errors").tag("controller", name)
                .description("Reconciliations that failed").register(registry);
        this.terminalErrors = Counter.builder("controller.runtime.terminal.reconcile.errors").tag("controller", name)
                .description("Reconciliations that failed and wait for a change").register(registry);
        this.panics = Counter.builder("controller.runtime.reconcile.panics").tag("controller", name)
                .description("Reconciliations that ended by a fault of the controller").register(registry);
        this.mapFailures = Counter.builder("nodeward.map.failures").tag("controller", name)
                .description("Changes that a map function failed for; each is mapped again").register(registry);
        this.time = Timer.builder("controller.runtime.reconcile.time").tag("controller", name)
                .serviceLevelObjectives(Buckets.SHORT)
                .description("How long a reconciliation takes").register(registry);
        Gauge.builder("controller.runtime.active.workers", active, AtomicInteger::get).tag("controller", name)
                .description("Workers at work").register(registry);
        Gauge.builder("controller.runtime.max.concurrent.reconciles", () -> workers).tag("controller", name)
                .description("Workers there are").register(registry);
    }

    private static Counter total(MeterRegistry registry, String name, String result) {
        return Counter.builder("controller.runtime.reconcile").tag("controller", name).tag("result", result)
                .description("Reconciliations by result").register(registry);
    }

    public void started() {
        active.incrementAndGet();
    }

    /** @param result as controller-runtime names it: {@code success}, {@code error}, {@code requeue}, {@code requeue_after} */
    public void finished(String result, long nanos) {
        active.decrementAndGet();
        time.record(nanos, TimeUnit.NANOSECONDS);
        Counter counter = results.get(result);
        if (counter != null) {
            counter.increment();
        }
        if (result.equals("error")) {
            errors.increment();
        }
    }

    /** The failure is not tried again. */
    public void gaveUp() {
        terminalErrors.increment();
    }

    public void panicked() {
        panics.increment();
    }

    public void mapFailed() {
        mapFailures.increment();
    }
}
