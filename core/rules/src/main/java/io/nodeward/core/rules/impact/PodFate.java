package io.nodeward.core.rules.impact;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Eviction.After;
import io.nodeward.core.rules.toleration.Eviction.Never;
import io.nodeward.core.rules.toleration.Eviction.Now;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a pod on a Node whose taints change.
 *
 * @param before when it would be deleted because of the old taints, counted from when they were seen
 * @param after likewise of the new ones
 * @param because the taint of the new ones that decides it; empty if nothing deletes the pod
 * @param budgets those that cover it
 */
public record PodFate(ObjectKey pod, Eviction before, Eviction after, Optional<Taint> because,
        List<ObjectKey> budgets) {
    /**
     * What the change makes of it. A timer that the taint eviction controller has started is moved by no other time, so
     * that two times which differ are not simply "later" and "sooner".
     */
    public enum Outcome {
        /** As before. */
        UNCHANGED,
        /** Nothing evicted it. */
        EVICTED,
        /** It was to go later, and goes at once. */
        AT_ONCE,
        /** It has less time. A timer that runs fires when it was to; one that the controller starts anew does sooner. */
        SHORTENED,
        /** It has more time, which a timer that runs does not heed: it goes when it was to go. */
        LENGTHENED,
        /** It was to go, and stays. */
        NO_LONGER
    }

    public PodFate {
        budgets = List.copyOf(budgets);
    }

    static PodFate of(Pod pod, List<Taint> before, List<Taint> after, List<Budget> budgets, Tolerance tolerance) {
        Eviction then = Eviction.of(after, pod.tolerations(), tolerance);
        return new PodFate(
                pod.key(), Eviction.of(before, pod.tolerations(), tolerance), then,
                then instanceof Eviction.Never ? Optional.empty() : deciding(pod, after, then, tolerance),
                budgets.stream().filter(budget -> budget.covers(pod)).map(Budget::key).toList());
    }

    /** What the change makes of it. */
    public Outcome outcome() {
        if (before.equals(after)) {
            return Outcome.UNCHANGED;
        }
        return switch (after) {
            case Never() -> Outcome.NO_LONGER;
            case Now() -> before instanceof Never ? Outcome.EVICTED : Outcome.AT_ONCE;
            case After(var time) -> switch (before) {
                case Never() -> Outcome.EVICTED;
                case Now() -> Outcome.LENGTHENED;
                case After(var old) -> time.compareTo(old) < 0 ? Outcome.SHORTENED : Outcome.LENGTHENED;
            };
        };
    }

    /** Whether the change makes a difference to it. */
    public boolean isChanged() {
        return outcome() != Outcome.UNCHANGED;
    }

    /** Whether it is deleted because of the change, now or later, or may be sooner than it would have been. */
    public boolean isEvicted() {
        return switch (outcome()) {
            case EVICTED, AT_ONCE, SHORTENED -> true;
            case UNCHANGED, LENGTHENED, NO_LONGER -> false;
        };
    }

    private static Optional<Taint> deciding(Pod pod, List<Taint> taints, Eviction whole, Tolerance tolerance) {
        return taints.stream()
                .filter(taint -> Eviction.of(List.of(taint), pod.tolerations(), tolerance).equals(whole))
                .findFirst();
    }
}
