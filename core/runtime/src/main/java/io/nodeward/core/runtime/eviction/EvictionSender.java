package io.nodeward.core.runtime.eviction;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Sends the one request that evicts a pod, and decides when the pod is looked at again. */
public final class EvictionSender {
    /** Pods, as requests name them. */
    public static final ObjectKind PODS = new ObjectKind("", "v1", "Pod", "pods", true);
    /** The pause before a pod is looked at again for which a decision, or an event of the watch, is on its way. */
    public static final Duration AGAIN = Duration.ofSeconds(1);
    /** How long after a lost reply the watch may still bring what the request did. */
    private static final Duration SEEN = Duration.ofSeconds(10);
    /** How long ago the server may have refused an Eviction that need not be sent again: longer than budgets are left alone. */
    private static final Duration LATELY = Duration.ofMinutes(2);
    private static final Backoff HELD_UP = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(1));

    private final ControllerContext context;
    private final String fieldManager;
    private final ObjectCache<? extends KubernetesObject> pods;
    private final PendingEvictions pending;

    /** The request that evicts a pod. */
    public enum Attempt {
        /** A DELETE, whatever budgets say. */
        DELETE,
        /** An Eviction, for which the server asks the budgets of the pod. */
        EVICTION,
        /** An Eviction after the deadline. If the server answers that the pod may not go, a DELETE follows in the same turn. */
        LAST_EVICTION
    }

    /**
     * @param controller by whose name the requests are sent
     * @param pods that the process watches
     */
    public EvictionSender(ControllerContext context, String controller, ObjectCache<? extends KubernetesObject> pods,
            PendingEvictions pending) {
        this.context = context;
        this.fieldManager = ControllerContext.fieldManager(controller);
        this.pods = pods;
        this.pending = pending;
    }

    /**
     * Ends the turn of a pod that need not go now, or is gone. Returns when it is looked at again.
     *
     * @param next when it may have to go; empty if that takes a change
     * @param what happens then
     */
    public Result idle(ObjectKey pod, Optional<Instant> next, String what) {
        Instant now = context.clock().instant();
        boolean mayGo = pending.forget(pod, now.minus(SEEN));
        pending.release(pod);
        return mayGo ? Result.requeueAfter(AGAIN, "the watch to tell whether it goes")
                : next.map(at -> Result.requeueAt(at, now, what)).orElseGet(Result::done);
    }

    /**
     * Returns how a pod is evicted now. A deadline passes also while Nodeward is paused, or the server is away, and by the end of that a
     * budget may permit that the pod goes. So the server is asked once more unless it has refused an Eviction of this very pod lately.
     *
     * @param respected whether budgets may hold up the pod at all
     * @param patience how long they may still do so
     */
    public Attempt attempt(Pod pod, boolean respected, Duration patience) {
        if (respected && patience.isPositive()) {
            return Attempt.EVICTION;
        }
        return respected && !pending.isRefused(pod, context.timers().nanoTime() - LATELY.toNanos(),
                context.clock().instant().minus(LATELY)) ? Attempt.LAST_EVICTION : Attempt.DELETE;
    }

    /**
     * Evicts a pod that has a token.
     *
     * @param causes names of what it goes for
     * @param still asked right before a DELETE that follows a last Eviction: whether the pod still has to go
     * @param heldUp called when budgets do not permit that it goes; returns how long they may still hold it up
     * @param report called once when the pod goes for this request, with the time of the answer; never if it does not
     */
    public Result send(Pod pod, Set<String> causes, Attempt attempt, BooleanSupplier still,
            Supplier<Duration> heldUp, Consumer<Instant> report) {
        Instant begin = context.clock().instant();
        pending.attempting(pod, attempt, context.timers().nanoTime(), begin);
        boolean asksBudgets = attempt == Attempt.EVICTION;
        Optional<Applied> first = attempt == Attempt.LAST_EVICTION ? last(pod) : Optional.of(apply(pod, asksBudgets));
        if (first.isEmpty() && !still.getAsBoolean()) {
            pending.release(pod.key());
            return Result.requeueAfter(AGAIN, "a decision on what it has to go for");
        }
        Applied applied = first.orElseGet(() -> apply(pod, false));
        Instant at = context.clock().instant();
        switch (applied) {
            case Applied.Outdated outdated -> throw outdated.failure(); // the next look shows whether this pod is gone
            case Applied.Unanswered lost -> {
                pending.sent(pod, at, () -> report.accept(at));
                throw lost.failure();
            }
            case Applied.Unavailable(String budget) -> {
                return Result.requeueAfter(shortest(
                        HELD_UP.delay(pending.refused(pod, causes, budget, true)), Stream.of(heldUp.get())), budget);
            }
            case Applied.Written written -> pending.sent(pod, at, () -> report.accept(at));
            case Applied.Gone gone when asksBudgets && pods.get(pod.key()).isPresent() -> {
                pending.release(pod.key()); // the server may not have found the budget
                return Result.requeueAfter(AGAIN, "the pod or its budget to be gone");
            }
            case Applied.Gone gone -> {}
            case Applied.DryRun dryRun -> {}
        }
        pending.report(pod.key(), Optional.empty()).ifPresent(Runnable::run);
        pending.release(pod.key());
        return Result.done();
    }

    /**
     * Sends the last Eviction. Returns nothing if the server answers that the pod may not go: a budget holds it up, a
     * webhook or a missing right refuses it, or the server does not know Evictions. A webhook that refuses, or cannot be
     * asked, has nothing happen. An outage of the server is no answer.
     */
    private Optional<Applied> last(Pod pod) {
        try {
            Applied applied = apply(pod, true);
            return switch (applied) {
                case Applied.Unavailable held -> Optional.empty();
                case Applied.Gone gone when pods.get(pod.key()).isPresent() -> Optional.empty();
                case Applied.Unanswered lost when lost.failure().status().isOfWebhook() -> Optional.empty();
                default -> Optional.of(applied);
            };
        } catch (ApiFailure.Forbidden | ApiFailure.Rejected | ApiFailure.NotServed refused) {
            return Optional.empty();
        } catch (ApiFailure failure) {
            if (failure.status().isOfWebhook()) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    private Applied apply(Pod pod, boolean asksBudgets) {
        ObjectChange deletion = ObjectChange.of(PODS, pod.metadata(), new Verb.Delete(asksBudgets))
                .on(Preconditions.uid(pod.metadata())).seenIn(pods);
        return context.writer().apply(deletion, fieldManager, false);
    }

    /**
     * Records that the server refused to let the pod go. Returns a pause in which no deadline passes: from its deadline on the pod is
     * deleted, whatever budgets say.
     *
     * @param pod of this name; empty if it is gone
     * @param patience how long budgets may still hold it up, for each cause
     */
    public Duration refused(ObjectKey key, Optional<Pod> pod, Set<String> causes, Stream<Duration> patience,
            Blocked why) {
        pending.report(key, pod).ifPresent(Runnable::run); // of the pod before, if this is another one of its name
        pending.forget(key, context.clock().instant().minus(SEEN));
        return pod.map(one -> Backoff.AFTER_REFUSAL.delay(pending.refused(one, causes, why.message(), false)))
                .map(pause -> shortest(pause, patience.filter(Duration::isPositive))).orElse(Duration.ZERO);
    }

    private static Duration shortest(Duration pause, Stream<Duration> others) {
        Duration shortest = Stream.concat(Stream.of(pause), others).min(Comparator.naturalOrder()).orElseThrow();
        return shortest.isNegative() ? Duration.ZERO : shortest;
    }
}
