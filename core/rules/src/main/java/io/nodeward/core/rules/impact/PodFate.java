package io.nodeward.core.rules.impact;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.toleration.Eviction;
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

    /** Whether the change makes a difference to it. */
    public boolean isChanged() {
        return !before.equals(after);
    }

    /** Whether it is deleted because of the change, now or later. */
    public boolean isEvicted() {
        return isChanged() && !(after instanceof Eviction.Never);
    }

    private static Optional<Taint> deciding(Pod pod, List<Taint> taints, Eviction whole, Tolerance tolerance) {
        return taints.stream()
                .filter(taint -> Eviction.of(List.of(taint), pod.tolerations(), tolerance).equals(whole))
                .findFirst();
    }
}
