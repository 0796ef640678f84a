package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.nodeward.api.core.Event;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.controller.dedicated.Evictions.Cause;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.eviction.EvictionSender;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Evicts strangers from Nodes of groups that respect budgets, one after the other at the pace of all together. */
final class PodEviction implements Function<ObjectKey, Result> {
    static final String NAME = DedicatedModule.NAME + "-eviction";

    private final DedicatedScope scope;
    private final Evictions evictions;
    private final Pacer.Limit limit;
    private final ControllerContext context;
    private final EvictionSender sender;
    private final Counter counter;

    PodEviction(DedicatedScope scope, Evictions evictions, Pacer.Limit limit, ControllerContext context) {
        this.scope = scope;
        this.evictions = evictions;
        this.limit = limit;
        this.context = context;
        this.sender = new EvictionSender(context, NAME, scope.caches().pods(), evictions.pending());
        this.counter = Counter.builder("nodeward.dedicated.evictions")
                .description("Pods evicted so that Nodes of DedicatedNodes can get NoExecute")
                .register(context.registry());
    }

    @Override
    public Result apply(ObjectKey key) {
        evictions.pending().report(key, scope.caches().pods().get(key).map(CandidatePod::pod)).ifPresent(Runnable::run);
        Optional<CandidatePod> stays = staying(key);
        List<Cause> decided = stays.map(pod -> evictions.of(key, pod.metadata().uid())).orElse(List.of());
        List<Cause> causes = decided.stream().filter(cause -> isInEffect(stays.get(), cause)).toList();
        Instant now = context.clock().instant();
        List<Cause> due = causes.stream().filter(cause -> !cause.left().isPositive()).toList();
        if (due.isEmpty()) {
            Stream<Duration> next =
                    causes.isEmpty() ? decided.stream().map(any -> EvictionSender.AGAIN)
                            : causes.stream().map(Cause::left);
            return sender.idle(key, next.min(Comparator.naturalOrder()).map(now::plus),
                    "a decision on its group, or the end of the time for which it tolerates the taint");
        }
        Duration left = evictions.pending().left(stays.get().pod(), List.of(limit));
        return left.isPositive() ? Result.requeueAfter(left, "--dedicated-evictions-per-second")
                : evict(stays.get(), due);
    }

    /** Returns whether the group still is as it was decided on, and the Node could still not get its taint with this pod. */
    private boolean isInEffect(CandidatePod pod, Cause cause) {
        Group group = cause.group();
        Optional<Node> node = scope.caches().nodes().get(ObjectKey.clusterScoped(cause.stranger().node()));
        return pod.pod().nodeName().equals(cause.stranger().node()) && scope.caches().declares(group)
                && node.filter(on -> isEvicted(group, on, pod)).isPresent();
    }

    private boolean isEvicted(Group group, Node node, CandidatePod pod) {
        List<Group> all = scope.declared().enforced().of(node);
        return all.contains(group) && scope.caches().evictsByRequest(group, node, all, pod,
                evictions.tolerationsGiven() ? scope.missing(pod).tolerations() : List.of());
    }

    private Result evict(CandidatePod pod, List<Cause> due) {
        Set<String> groups = names(due);
        String message = message(due.getFirst());
        boolean respected = due.stream().allMatch(cause -> cause.group().spec().eviction().respectsBudgets());
        return sender.send(pod.pod(), groups, sender.attempt(pod.pod(), respected, patience(due)),
                () -> isOverdue(pod.key(), groups), () -> {
                    due.forEach(Cause::heldUp);
                    return patience(due);
                }, at -> evicted(pod, groups, message));
    }

    private boolean isOverdue(ObjectKey key, Set<String> groups) {
        return staying(key).filter(pod -> evictions.of(key, pod.metadata().uid()).stream()
                .anyMatch(cause -> groups.contains(cause.group().name()) && !cause.patience().isPositive()
                        && isInEffect(pod, cause)))
                .isPresent();
    }

    private Optional<CandidatePod> staying(ObjectKey key) {
        return scope.caches().pods().get(key).filter(pod -> !pod.metadata().deleting() && !pod.isFinished());
    }

    private static Duration patience(List<Cause> due) {
        return due.stream().map(Cause::patience).min(Comparator.naturalOrder()).orElseThrow();
    }

    private void evicted(CandidatePod pod, Set<String> groups, String message) {
        context.events().warn(new Event.Regarding("v1", "Pod", pod.key(), pod.metadata().uid(),
                pod.metadata().resourceVersion()), Reason.DEDICATED_NODES_EVICTION.text(), message);
        evictions.evicted(groups);
        counter.increment();
    }

    private static String message(Cause cause) {
        return "evicted by DedicatedNodes " + cause.group().name() + ": Node " + cause.stranger().node()
                + " is to get the taint " + cause.group().spec().taint().key() + "="
                + cause.group().spec().taint().value() + ":NoExecute";
    }

    /** Records that the server does not let the pod go now. Returns how long it waits. */
    Duration refused(ObjectKey key, Blocked why) {
        Optional<CandidatePod> found = scope.caches().pods().get(key);
        List<Cause> causes = found.map(pod -> evictions.of(key, pod.metadata().uid())).orElse(List.of());
        return sender.refused(key, found.map(CandidatePod::pod), names(causes), causes.stream().map(Cause::patience),
                why);
    }

    private static Set<String> names(List<Cause> causes) {
        return causes.stream().map(cause -> cause.group().name()).collect(Collectors.toSet());
    }
}
