package io.nodeward.core.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The {@code controller_runtime_*} meters of one controller. */
public final class ControllerMeters {
    private final AtomicInteger active = new AtomicInteger();
    private final Counter successes;
    private final Counter failures;
    private final Counter errors;
    private final Counter panics;
    private final Timer time;

    public ControllerMeters(MeterRegistry registry, String name, int workers) {
        this.successes = total(registry, name, "success");
        this.failures = total(registry, name, "error");
        this.errors = Counter.builder("controller.runtime.reconcile.errors").tag("controller", name)
                .description("Reconciliations that failed").register(registry);
        this.panics = Counter.builder("controller.runtime.reconcile.panics").tag("controller", name)
                .description("Reconciliations that ended by a fault of the controller").register(registry);
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

    /** @param result {@code success} or {@code error} */
    public void finished(String result, long nanos) {
        active.decrementAndGet();
        time.record(nanos, TimeUnit.NANOSECONDS);
        if (result.equals("success")) {
            successes.increment();
        } else {
            failures.increment();
            errors.increment();
        }
    }

    public void panicked() {
        panics.increment();
    }
}
