package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.metrics.ControllerMeters;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a key is reconciled again: at the time that its reconciler asked for, after a failure with back-off, or not before
 * the next change.
 */
final class Requeues<K> {
    private static final Logger LOG = LoggerFactory.getLogger(ReconcileLoop.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMinutes(2));

    private final WorkQueue<K> queue;
    private final ControllerMeters meters;
    /** Failures in a row. */
    private final Map<K, Integer> failures = new ConcurrentHashMap<>();
    /** In a row; that it is looked at in between, and has to wait, does not end the row. */
    private final Map<K, Integer> refusals = new ConcurrentHashMap<>();
    /** Keys whose writes are held back, by the kind of the failure, as each kind ends by itself; guarded by itself. */
    private final Map<Class<?>, Set<K>> held = new HashMap<>();
    private Optional<BiFunction<K, Blocked, Duration>> whenRefused = Optional.empty();

    Requeues(WorkQueue<K> queue, ControllerMeters meters) {
        this.queue = queue;
        this.meters = meters;
    }

    /** What a server refuses is tried again after long pauses, whatever the status code. */
    void retryRefused() {
        retryRefused((key, why) -> Backoff.AFTER_REFUSAL.delay(refusals.merge(key, 1, Integer::sum)));
    }

    /** @param pauses called for each refusal: how long the key waits then */
    void retryRefused(BiFunction<K, Blocked, Duration> pauses) {
        whenRefused = Optional.of(pauses);
    }

    /** Returns the result as controller-runtime names it. */
    String finished(K key, Result result) {
        failures.remove(key);
        if (!(result instanceof Result.RequeueAfter)) {
            refusals.remove(key);
        }
        return switch (result) {
            case Result.Done done -> {
                LOG.trace("done");
                yield "success";
            }
            case Result.Waiting waiting -> {
                LOG.debug("waiting for {}", waiting.reason());
                yield "success";
            }
            case Result.RequeueAfter again -> {
                LOG.debug("again in {} ms: {}", again.after().toMillis(), again.reason());
                queue.addAfter(key, again.after());
                yield "requeue_after";
            }
        };
    }

    /** As {@link #finished}. */
    String failed(K key, ApiFailure failure) {
        retry(key, failure);
        return failure instanceof ApiFailure.Paused ? "requeue" : "error";
    }

    private void retry(K key, ApiFailure failure) {
        switch (failure) {
            case ApiFailure.Conflict f -> again(key, f, Duration.ZERO);
            case ApiFailure.Expired f -> again(key, f, Duration.ZERO);
            case ApiFailure.AlreadyExists f -> again(key, f, Duration.ZERO);
            case ApiFailure.Throttled f -> again(key, f, f.retryAfter().orElse(Duration.ZERO));
            case ApiFailure.Unreachable f -> again(key, f, Duration.ZERO);
            case ApiFailure.Unauthorized f -> again(key, f, Duration.ZERO);
            case ApiFailure.Forbidden f -> whenRefused.ifPresentOrElse(
                    pauses -> refused(key, f, pauses), () -> again(key, f, Duration.ZERO));
            case ApiFailure.NotServed f -> again(key, f, Duration.ZERO);
            case ApiFailure.NotFound f -> giveUp(key, f);
            case ApiFailure.Rejected f -> whenRefused.ifPresentOrElse(
                    pauses -> refused(key, f, pauses), () -> giveUp(key, f));
            case ApiFailure.Paused f -> hold(key, f);
        }
    }

    void panicked(K key, Throwable bug) {
        Duration delay = backoff(key);
        LOG.error("a fault of Nodeward; again in {} ms", delay.toMillis(), bug);
        queue.addAfter(key, delay);
        meters.panicked();
    }

    /** Nothing is wrong with the key: it is neither tried meanwhile nor later than others. */
    private void hold(K key, ApiFailure.Paused paused) {
        LOG.debug("{}", paused.getMessage());
        Class<?> kind = paused.getClass();
        boolean first;
        synchronized (held) {
            Set<K> keys = held.computeIfAbsent(kind, any -> new LinkedHashSet<>());
            first = keys.isEmpty();
            keys.add(key);
        }
        if (first) {
            paused.whenOver(() -> release(kind));
        }
    }

    private void release(Class<?> kind) {
        Optional<Set<K>> keys;
        synchronized (held) {
            keys = Optional.ofNullable(held.remove(kind));
        }
        keys.ifPresent(released -> released.forEach(queue::add));
    }

    private void again(K key, ApiFailure failure, Duration atLeast) {
        Duration backoff = backoff(key);
        Duration delay = atLeast.compareTo(backoff) > 0 ? Timers.jittered(atLeast).plus(backoff) : backoff;
        LOG.warn("{}; again in {} ms", failure.getMessage(), delay.toMillis());
        queue.addAfter(key, delay);
    }

    private void refused(K key, ApiFailure failure, BiFunction<K, Blocked, Duration> pauses) {
        Duration delay = pauses.apply(key, Blocked.refused(Reason.REFUSED, "the request was", failure));
        LOG.warn("{}; again in {} s", failure.getMessage(), delay.toSeconds());
        queue.addAfter(key, delay);
    }

    private Duration backoff(K key) {
        return BACKOFF.delay(failures.merge(key, 1, Integer::sum));
    }

    /** The same request would be refused again: the next change of an object brings the key back. */
    private void giveUp(K key, ApiFailure failure) {
        failures.remove(key);
        meters.gaveUp();
        LOG.warn("{}; waiting for a change", failure.getMessage());
    }
}
