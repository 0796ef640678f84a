package io.nodeward.core.runtime.cache;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of the heap may hold objects that others create. Each namespace of the home cluster and each workload cluster has an
 * account. An account may grow while it holds no more than what all of them leave free. So no account takes more than half, the
 * sum stays within the budget, and an account that comes later still finds room.
 */
public final class HeapBudget {
    private static final Logger LOG = LoggerFactory.getLogger(HeapBudget.class);
    /** Never full. */
    static final HeapBudget UNLIMITED = new HeapBudget(Long.MAX_VALUE, new SimpleMeterRegistry());
    /** Accounts that a metric names: who may create namespaces must not create series without end. */
    private static final int NAMED = 10;

    private final long bytes;
    private final MultiGauge named;
    private final Map<String, Long> accounts = new HashMap<>();
    /** The accounts that could not grow. */
    private final TreeSet<String> full = new TreeSet<>();
    private long used;

    /** @param bytes of all accounts, as objects estimate them */
    public HeapBudget(long bytes, MeterRegistry registry) {
        this.bytes = bytes;
        this.named = MultiGauge.builder("nodeward.heap.budget.full")
                .description(
                        "1 for each namespace and workload cluster that takes so much memory that Nodeward keeps less of it")
                .register(registry);
        name();
        Gauge.builder("nodeward.heap.budget.used", this, HeapBudget::share)
                .description(
                        "Part of the memory for objects of namespaces and workload clusters that is taken, from 0 to 1")
                .register(registry);
    }

    /** Half of what the heap may become. */
    public static HeapBudget ofHeap(MeterRegistry registry) {
        return new HeapBudget(Runtime.getRuntime().maxMemory() / 2, registry);
    }

    private synchronized double share() {
        return (double) used / bytes;
    }

    /** Returns whether the account may hold so many bytes more; less is always possible. */
    public synchronized boolean fits(String account, long more) {
        boolean fits = more <= 0 || accounts.getOrDefault(account, 0L) + more <= bytes - used - more;
        if (!fits && full.add(account)) {
            LOG.warn("{}: its objects take too much memory; Nodeward keeps less of those that it sees from now on",
                    account);
            name();
        }
        return fits;
    }

    /** Counts so many bytes more, or less, whether they fit or not. */
    public synchronized void add(String account, long change) {
        used += change;
        accounts.merge(account, change, (one, other) -> one + other == 0 ? null : one + other);
    }

    /**
     * Returns whether an account was full and three quarters of the budget are free now, and forgets that: the objects of which less
     * is kept can be read again.
     */
    public synchronized boolean recovers() {
        if (full.isEmpty() || used > bytes / 4) {
            return false;
        }
        full.clear();
        name();
        return true;
    }

    /** Without any the metric has no account, so that it is always there. */
    private void name() {
        List<Row<?>> rows = full.stream().limit(NAMED).<Row<?>>map(account -> Row.of(Tags.of("account", account), 1))
                .toList();
        named.register(rows.isEmpty() ? List.of(Row.of(Tags.of("account", ""), 0)) : rows, true);
    }
}
