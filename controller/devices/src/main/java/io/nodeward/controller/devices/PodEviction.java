package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.EvictionCauses;
import io.nodeward.core.rules.device.EvictionCauses.Cause;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.eviction.EvictionSender;
import io.nodeward.core.runtime.eviction.EvictionSender.Attempt;
import io.nodeward.core.runtime.eviction.PendingEvictions;
import io.nodeward.core.runtime.status.Blocked;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Deletes pods that have to go, one after the other at the pace of their taints. */
final class PodEviction implements Function<ObjectKey, Result> {
    static final String NAME = DevicesModule.NAME + "-eviction";
    private static final String FIELD_MANAGER = ControllerContext.fieldManager(NAME);

    private final DeviceCaches caches;
    private final Evictions evictions;
    private final ControllerContext context;
    private final EvictionMeters meters;
    private final PendingEvictions pending;
    private final EvictionSender sender;

    PodEviction(DeviceCaches caches, Evictions evictions, ControllerContext context) {
        this.caches = caches;
        this.evictions = evictions;
        this.context = context;
        this.meters = new EvictionMeters(context.registry());
        this.pending = evictions.pending();
        this.sender = new EvictionSender(context, NAME, caches.pods(), pending);
    }

    @Override
    public Result apply(ObjectKey key) {
        Optional<Pod> pod = caches.pods().get(key);
        pending.report(key, pod).ifPresent(Runnable::run);
        EvictionCauses eviction = pod.map(this::eviction).orElse(EvictionCauses.NONE);
        Instant now = context.clock().instant();
        List<Cause> due = eviction.due(now);
        if (pod.isEmpty() || due.isEmpty()) {
            return sender.idle(key, eviction.first(), "the end of the time for which its claim tolerates the taint");
        }
        Duration held =
                due.stream().map(cause -> evictions.heldOff(pod.get(), cause)).min(Duration::compareTo).orElseThrow();
        if (held.isPositive()) {
            pending.release(key);
            return Result.requeueAfter(held, "the back-off of its claim");
        }
        return paced(pod.get(), due.stream().filter(cause -> evictions.heldOff(pod.get(), cause).isZero()).toList());
    }

    /** Records that the server does not let the pod go now. Returns how long it waits. */
    Duration refused(ObjectKey key, Blocked why) {
        Optional<Pod> pod = caches.pods().get(key);
        Instant now = context.clock().instant();
        List<Cause> due = pod.map(this::eviction).orElse(EvictionCauses.NONE).due(now);
        return sender.refused(key, pod, Evictions.names(due),
                due.stream().map(cause -> EvictionCauses.patience(List.of(cause), now)), why);
    }

    private EvictionCauses eviction(Pod pod) {
        return EvictionCauses.of(pod, caches.claims(pod), evictions::of);
    }

    private Result paced(Pod pod, List<Cause> causes) {
        List<Cause> inEffect = evictions.inEffect(causes);
        if (inEffect.isEmpty()) {
            pending.release(pod.key());
            return undecided();
        }
        List<Cause> decisive = EvictionCauses.decisive(inEffect, context.clock().instant());
        Optional<Duration> left = evictions.left(pod, decisive);
        if (left.filter(Duration::isPositive).isPresent()) {
            boolean all = inEffect.size() == causes.size();
            return all || left.get().compareTo(EvictionSender.AGAIN) < 0
                    ? Result.requeueAfter(left.get(), "evictionsPerSecond")
                    : undecided();
        }
        if (left.isEmpty()) {
            return Result.done();
        }
        return evict(pod, decisive);
    }

    private static Result undecided() {
        return Result.requeueAfter(EvictionSender.AGAIN, "a decision on its rules");
    }

    /** Writes why into the status first, as nobody can ask a pod that is gone; the server does so for a pod whose budgets it asks. */
    private Result evict(Pod pod, List<Cause> causes) {
        Attempt first = attempt(pod, causes);
        List<Cause> still = first == Attempt.DELETE ? marked(pod, causes) : still(pod, causes);
        Optional<Cause> why = still.stream().filter(cause -> evictions.gaveToken(pod, cause)).findFirst();
        if (why.isEmpty()) {
            pending.release(pod.key());
            return undecided();
        }
        String message = message(why.get());
        return sender.send(pod, Evictions.names(still), first == Attempt.DELETE ? attempt(pod, still) : first,
                () -> isOverdue(still(pod, still)) && isOverdue(marked(pod, still)),
                () -> patience(still), report(pod, still, message));
    }

    private boolean isOverdue(List<Cause> causes) {
        return !causes.isEmpty() && !patience(causes).isPositive();
    }

    /** Writes why the pod goes. Returns the causes that still hold after that, as the request takes its time. */
    private List<Cause> marked(Pod pod, List<Cause> causes) {
        context.writer().apply(ObjectChange.applyStatus(EvictionSender.PODS, pod.metadata(), disrupted()),
                FIELD_MANAGER, false);
        return still(pod, causes);
    }

    private Attempt attempt(Pod pod, List<Cause> causes) {
        return sender.attempt(pod, causes.stream().allMatch(cause -> cause.mode().respectsBudgets()), patience(causes));
    }

    private Duration patience(List<Cause> causes) {
        return EvictionCauses.patience(causes, context.clock().instant());
    }

    private Consumer<Instant> report(Pod pod, List<Cause> causes, String message) {
        Event.Regarding regarding = new Event.Regarding(
                "v1", "Pod", pod.key(), pod.metadata().uid(), pod.metadata().resourceVersion());
        Runnable counts = evictions.evicting(pod, causes);
        return at -> {
            context.events().warn(regarding, Reason.DEVICE_TAINT_MANAGER_EVICTION.text(), message);
            counts.run();
            meters.deleted(causes.getFirst().at(), at);
        };
    }

    /** Returns the causes that still hold: a rule may have been deleted or edited, or select other devices, since the first request. */
    private List<Cause> still(Pod pod, List<Cause> causes) {
        Set<String> allowed = Evictions.names(causes);
        String uid = pod.metadata().uid();
        return evictions.inEffect(
                caches.pods().get(pod.key()).filter(now -> now.metadata().uid().equals(uid)).map(this::eviction)
                        .orElse(EvictionCauses.NONE).due(context.clock().instant()).stream()
                        .filter(cause -> allowed.contains(cause.rule())).toList());
    }

    /** Returns the condition that Kubernetes' own eviction writes, so that tools which look for that find these pods. */
    private Tree disrupted() {
        return Tree.of(Map.of("conditions", List.of(Map.of("type", "DisruptionTarget", "status", "True",
                "reason", "DeletionByDeviceTaintManager",
                "message", "Nodeward: deleting due to NoExecute taint",
                "lastTransitionTime", context.clock().instant().truncatedTo(ChronoUnit.SECONDS).toString()))));
    }

    private String message(Cause why) {
        String value = why.taint().value().isEmpty() ? "" : "=" + why.taint().value();
        return "evicted by " + evictions.origin(why) + ": device " + why.device() + " of ResourceClaim "
                + why.claim().key().name() + " has the taint " + why.taint().key() + value + ":" + why.taint().effect()
                + (why.taint().words().isEmpty() ? "" : " (" + why.taint().words() + ")");
    }
}
