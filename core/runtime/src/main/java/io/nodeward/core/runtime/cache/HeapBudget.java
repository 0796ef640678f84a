package io.nodeward.core.runtime.cache;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the heap has room for more objects that others create. Each namespace of the home cluster, each Node that has ResourceSlices
 * and each workload cluster has an account of the bytes that its objects are estimated to take. While the heap has room, every account
 * may grow. When it is short, only a namespace or Node that holds less than an equal share may grow; when it is almost full, none may,
 * nor a workload cluster that holds more than its share.
 *
 * <p>The estimate of an object counts texts that many objects share for each, so it may be several times too high. Before an
 * account is refused, the heap is measured. That is rare, as it takes a full garbage collection.
 */
public final class HeapBudget {
    private static final Logger LOG = LoggerFactory.getLogger(HeapBudget.class);
    /** Parts of the heap, in percent, that live objects may take. */
    private static final int SHORT = 75;
    private static final int ALMOST_FULL = 85;
    /** Below this it has recovered; above, objects that are read again would make it short again. */
    private static final int RECOVERED = 65;
    /** An account below this part of the heap is small: 64 KiB of 256 MiB. */
    private static final int SMALL = 4096;
    /** What is read again may make it short again: not more often. */
    private static final Duration RECOVERS_EVERY = Duration.ofMinutes(10);
    /** A heap that is short is measured again when so many percent more are used, or after this time. */
    private static final int STEP = 2;
    private static final Duration AGAIN = Duration.ofMinutes(1);
    /** Accounts that a metric names: who may create namespaces must not create series without end. */
    private static final int NAMED = 10;
    /** Never short. */
    static final HeapBudget UNLIMITED =
            new HeapBudget(Long.MAX_VALUE / ALMOST_FULL, () -> 0, () -> 0, new SimpleMeterRegistry());

    private final long heap;
    private final LongSupplier live;
    private final LongSupplier ticker;
    private final MultiGauge named;
    /** The accounts of the home cluster. */
    private final Accounts home;
    private final Accounts clusters;
    /** The accounts that could not grow. */
    private final TreeSet<String> full = new TreeSet<>();
    /** Estimated bytes of all accounts. */
    private long used;
    /** Live bytes of the whole process when they were measured, what {@link #used} was then, and when that was. */
    private long measured;
    private long usedThen;
    private long measuredAt;
    private @Nullable Long recoveredAt;

    /** Estimated bytes by name. */
    private static final class Accounts {
        /** An account of so many bytes is small, and takes no part in the shares: else many small ones made each share small. */
        private final long small;
        private final Map<String, Long> byName = new HashMap<>();
        private long sum;
        private int shares;

        Accounts(long small) {
            this.small = small;
        }

        void add(String name, long change) {
            long before = byName.getOrDefault(name, 0L);
            long after = before + change;
            count(before, -1);
            count(after, 1);
            if (after == 0) {
                byName.remove(name);
            } else {
                byName.put(name, after);
            }
        }

        private void count(long bytes, int sign) {
            if (bytes > small) {
                sum += sign * bytes;
                shares += sign;
            }
        }

        /** Returns whether the account would be larger than an equal share; one alone is if it is larger than half of all. */
        boolean isLarge(String name, long more) {
            long bytes = byName.getOrDefault(name, 0L) + more;
            return bytes > small && bytes > sum / (shares + 1);
        }
    }

    /**
     * Starts with nothing measured.
     *
     * @param heap bytes that it may become
     * @param live measures the bytes of live objects
     * @param ticker nanoseconds since any one moment
     */
    public HeapBudget(long heap, LongSupplier live, LongSupplier ticker, MeterRegistry registry) {
        this.heap = heap;
        this.home = new Accounts(heap / SMALL);
        this.clusters = new Accounts(heap / SMALL);
        this.live = live;
        this.ticker = ticker;
        this.named = MultiGauge.builder("nodeward.heap.full")
                .description(
                        "1 for each namespace, Node and workload cluster of which Nodeward keeps less, as the heap is short")
                .register(registry);
        name();
        Gauge.builder("nodeward.heap.taken", this, HeapBudget::share)
                .description(
                        "Part of the heap that live objects take, from 0 to 1, as far as it is estimated or measured")
                .register(registry);
    }

    /** Creates the budget of this process. */
    public static HeapBudget ofProcess(MeterRegistry registry) {
        Runtime runtime = Runtime.getRuntime();
        return new HeapBudget(runtime.maxMemory(), () -> {
            System.gc(); // without a collection the JVM does not know which objects are live
            return runtime.totalMemory() - runtime.freeMemory();
        }, System::nanoTime, registry);
    }

    private synchronized double share() {
        return (double) taken() / heap;
    }

    /** Growth is taken as the estimate says or more, as its texts may be nobody else's; of what went others may have a part. */
    private long taken() {
        long change = used - usedThen;
        return measured + (change > 0 ? change + change / 4 : change / 4);
    }

    private boolean isAbove(int percent) {
        return taken() > heap / 100 * percent;
    }

    /** Returns whether the account of the home cluster may hold so many bytes more; less is always possible. */
    synchronized boolean fits(String account, long more) {
        return more <= 0 || !isShort() || !isAbove(ALMOST_FULL) && !home.isLarge(account, more)
                || refused(account);
    }

    /** Returns whether the workload cluster may hold so many bytes more: it is let go when there is no other way. */
    public synchronized boolean fitsCluster(String cluster, long more) {
        return more <= 0 || !isShort() || !isAbove(ALMOST_FULL) || !clusters.isLarge(cluster, more) || refused(cluster);
    }

    /** A heap that is short by the estimate is measured, and the estimate goes on from there. */
    private boolean isShort() {
        boolean isOld = used != usedThen && ticker.getAsLong() - measuredAt > AGAIN.toNanos();
        if (isAbove(SHORT) && (isOld || used - usedThen > heap / 100 * STEP)) {
            measure();
        }
        return isAbove(SHORT);
    }

    private void measure() {
        measured = live.getAsLong();
        usedThen = used;
        measuredAt = ticker.getAsLong();
    }

    private boolean refused(String account) {
        if (full.add(account)) {
            LOG.warn("{}: the heap is short, so Nodeward keeps less of what it sees there from now on; remove objects"
                    + " from there, or give Nodeward a larger heap", account);
            name();
        }
        return false;
    }

    /** Counts so many bytes more of an account of the home cluster, or less, whether they fit or not. */
    synchronized void add(String account, long change) {
        used += change;
        home.add(account, change);
    }

    /** Counts so many bytes more of a workload cluster, or less, whether they fit or not. */
    public synchronized void addCluster(String cluster, long change) {
        used += change;
        clusters.add(cluster, change);
    }

    /**
     * Returns whether an account could not grow and the heap has room again, and forgets that: what was given up can be read again.
     */
    public synchronized boolean recovers() {
        Long last = recoveredAt;
        if (full.isEmpty() || last != null && ticker.getAsLong() - last < RECOVERS_EVERY.toNanos()) {
            return false;
        }
        measure();
        if (isAbove(RECOVERED)) {
            return false;
        }
        recoveredAt = measuredAt;
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
