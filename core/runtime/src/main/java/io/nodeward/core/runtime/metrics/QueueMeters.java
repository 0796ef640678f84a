package io.nodeward.core.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The {@code workqueue_*} meters of one queue. */
public final class QueueMeters {
    private final MeterRegistry registry;
    private final String name;
    private final Counter adds;
    private final Counter retries;
    private final Timer waited;
    private final Timer worked;

    public QueueMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        this.name = name;
        this.adds = Counter.builder("workqueue.adds").tag("name", name).description("Keys added").register(registry);
        this.retries = Counter.builder("workqueue.retries").tag("name", name)
                .description("Keys added again after a failure").register(registry);
        this.waited = Timer.builder("workqueue.queue.duration").tag("name", name).serviceLevelObjectives(Buckets.SHORT)
                .description("How long keys wait").register(registry);
        this.worked = Timer.builder("workqueue.work.duration").tag("name", name).serviceLevelObjectives(Buckets.SHORT)
                .description("How long keys are worked on").register(registry);
    }

    /** @param work nanoseconds each work in progress has taken */
    public void observe(IntSupplier depth, Supplier<LongSummaryStatistics> work) {
        Gauge.builder("workqueue.depth", depth::getAsInt).tag("name", name).description("Keys waiting")
                .register(registry);
        Gauge.builder("workqueue.longest.running.processor.seconds", () -> Math.max(0, work.get().getMax()) / 1e9)
                .tag("name", name).description("The longest work in progress").register(registry);
        Gauge.builder("workqueue.unfinished.work.seconds", () -> work.get().getSum() / 1e9)
                .tag("name", name).description("All work in progress").register(registry);
    }

    public void added() {
        adds.increment();
    }

    public void retried() {
        retries.increment();
    }

    public void taken(long nanos) {
        waited.record(nanos, TimeUnit.NANOSECONDS);
    }

    public void worked(long nanos) {
        worked.record(nanos, TimeUnit.NANOSECONDS);
    }
}
