package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.runtime.cluster.Blocked;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The one request that carries plans out. What somebody else applies is left to them: two that apply one text with
 * force would fight for ever.
 *
 * @param changes new text by annotation, empty to remove it; none if no request is due
 * @param applied all this room wants the object to have, if nothing is removed
 * @param blocked what is left to somebody else although it is not as it should be
 */
record CapacityWrite(
        Map<String, Optional<String>> changes, Map<String, String> applied, Optional<Blocked> blocked) {

    static CapacityWrite of(NodeGroup group, Plans plans, String manager) {
        Draft draft = new Draft(group, manager);
        draft.add(CapacityAnnotations.TAINTS, CapacityAnnotations.TAINTS_TRACKING, plans.taints());
        draft.add(CapacityAnnotations.LABELS, CapacityAnnotations.LABELS_TRACKING, plans.labels());
        return new CapacityWrite(draft.changes, draft.applied, draft.blocked);
    }

    boolean isEmpty() {
        return changes.isEmpty();
    }

    /**
     * Whether a text goes. Applying the rest would not take it away where somebody else manages it too, as who has
     * edited it does.
     */
    boolean removes() {
        return changes.containsValue(Optional.<String>empty());
    }

    private static final class Draft {
        private final Map<String, Optional<String>> changes = new TreeMap<>();
        private final Map<String, String> applied = new TreeMap<>();
        private Optional<Blocked> blocked = Optional.empty();
        private final NodeGroup group;
        private final String manager;

        Draft(NodeGroup group, String manager) {
            this.group = group;
            this.manager = manager;
        }

        void add(String annotation, String trackedBy, CapacityPlan plan) {
            Set<String> others = new TreeSet<>(group.appliers(annotation));
            others.remove(manager);
            if (!others.isEmpty()) {
                leave(annotation, trackedBy, plan, others);
                return;
            }
            if (plan.isDue()) {
                change(annotation, plan.text());
                change(trackedBy, plan.tracking());
            }
            if (plan.isDue() || isOurs(annotation) || isOurs(trackedBy)) {
                plan.text().ifPresent(text -> applied.put(annotation, text));
                plan.tracking().ifPresent(text -> applied.put(trackedBy, text));
            }
        }

        private void leave(String annotation, String trackedBy, CapacityPlan plan, Set<String> others) {
            String tracking = group.metadata().annotations().get(trackedBy);
            if (tracking != null && isOurs(trackedBy)) {
                applied.put(trackedBy, tracking);
            }
            if (plan.changesText() && blocked.isEmpty()) {
                String there = plan.text().map(text -> "set it there to: " + text).orElse("take it away there");
                blocked = Optional.of(new Blocked("CapacityAppliedByOther", "annotation " + annotation
                        + " is applied by " + String.join(", ", others) + " and left to them; " + there));
            }
        }

        private void change(String annotation, Optional<String> text) {
            if (!text.equals(Optional.ofNullable(group.metadata().annotations().get(annotation)))) {
                changes.put(annotation, text);
            }
        }

        private boolean isOurs(String annotation) {
            return group.appliers(annotation).contains(manager);
        }
    }
}
