package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.nodeward.core.runtime.metrics.Buckets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides as another reconciler does, and measures how long Nodes take to be as declared, and how many are not, by reason. Reasons
 * are those of {@link Decision.Blocked}, which are constants, and two of its own. That a Node is not known is no reason.
 *
 * @param <K> what work is queued by, one for each Node
 */
final class MeteredNodes<K> implements Reconciler<K> {
    /** Something is held back, be it until its turn or until somebody confirms it. */
    static final String WITHHELD = "Withheld";
    /** A change is due and not made: it is in hand, or was refused, or the API server does not answer. */
    static final String NOT_WRITTEN = "NotWritten";

    private final Reconciler<K> reconciler;
    private final String controller;
    private final MeterRegistry registry;
    private final Predicate<K> isNode;
    private final LongSupplier ticker;
    private final boolean dryRun;
    private final Timer took;
    /** Since when something may be missing on a Node. */
    private final Map<K, Long> since = new ConcurrentHashMap<>();
    private final Map<K, String> reasons = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();

    /**
     * @param controller of the meters
     * @param isNode keys that are no Nodes are not measured
     * @param ticker nanoseconds since any one moment
     * @param dryRun whether a change is carried out without being made
     */
    MeteredNodes(
            Reconciler<K> reconciler,
            String controller,
            Predicate<K> isNode,
            MeterRegistry registry,
            LongSupplier ticker,
            boolean dryRun) {
        this.reconciler = reconciler;
        this.controller = controller;
        this.registry = registry;
        this.isNode = isNode;
        this.ticker = ticker;
        this.dryRun = dryRun;
        this.took = Timer.builder("nodeward.declared.to.node").tag("controller", controller)
                .serviceLevelObjectives(Buckets.LONG)
                .description("From when a change was seen that a Node does not show yet until the Node shows it")
                .register(registry);
    }

    /** Something has changed that may concern the Node. */
    void added(K key) {
        if (isNode.test(key)) {
            since.putIfAbsent(key, ticker.getAsLong());
        }
    }

    @Override
    public Decision reconcile(K key) {
        Decision decision = reconciler.reconcile(key);
        if (isNode.test(key)) {
            switch (decision) {
                case Decision.Blocked blocked -> blocked(key, blocked.by().reason());
                case Decision.Change change -> decided(key, change);
                default -> blocked(key, null);
            }
        }
        return decision;
    }

    private void blocked(K key, @Nullable String reason) {
        since.remove(key);
        isNot(key, reason);
    }

    private void decided(K key, Decision.Change change) {
        if (!change.change().isEmpty()) {
            added(key);
            isNot(key, NOT_WRITTEN);
        } else if (!change.withheld() && reasons.get(key) == null) {
            since.remove(key); // nothing was missing
        }
    }

    @Override
    public void executed(K key, Decision decision) {
        if (decision instanceof Decision.Change change && isNode.test(key)) {
            changed(key, change);
        } else if (decision instanceof Decision.Waiting) {
            blocked(key, null); // what was due before cannot be made now
        }
        reconciler.executed(key, decision);
    }

    private void changed(K key, Decision.Change change) {
        if (dryRun && !change.change().isEmpty()) {
            return; // it is still due
        }
        if (change.withheld()) {
            isNot(key, WITHHELD);
            return;
        }
        Long began = since.remove(key);
        if (began != null) {
            took.record(Duration.ofNanos(ticker.getAsLong() - began));
        }
        isNot(key, null);
    }

    @Override
    public void unanswered(K key, Decision.Change decision) {
        reconciler.unanswered(key, decision);
    }

    private void isNot(K key, @Nullable String reason) {
        String before = reason == null ? reasons.remove(key) : reasons.put(key, reason);
        if (before != null) {
            count(before).decrementAndGet();
        }
        if (reason != null) {
            count(reason).incrementAndGet();
        }
    }

    private AtomicInteger count(String reason) {
        return counts.computeIfAbsent(reason, any -> {
            AtomicInteger count = new AtomicInteger();
            Gauge.builder("nodeward.not.as.declared", count, AtomicInteger::get).tag("controller", controller)
                    .tag("reason", reason).description("Nodes that are not as declared, by what keeps them from it")
                    .register(registry);
            return count;
        });
    }
}
