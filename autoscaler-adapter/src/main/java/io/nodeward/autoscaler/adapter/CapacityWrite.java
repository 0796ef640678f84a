package io.nodeward.autoscaler.adapter;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.Blocked;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a plan changes. What somebody else applies is left to them: two that apply one text with force would fight for
 * ever.
 *
 * @param changes new text by annotation, empty to remove it; none if no request is due
 * @param applied all this controller wants the object to have, if nothing is removed
 * @param conflicts what is left to somebody else although it is not as it should be
 */
record CapacityWrite(
        Map<String, Optional<String>> changes, Map<String, String> applied, List<FieldConflict> conflicts) {
    /**
     * An annotation that somebody else applies.
     *
     * @param longText the text to set there, if a message cannot hold it whole; else empty
     */
    record FieldConflict(Blocked blocked, String longText) {
        static FieldConflict of(Reason reason, String annotation, Set<String> others, Optional<String> text) {
            String head = "annotation " + annotation + " is applied by " + String.join(", ", others)
                    + " and left to them; ";
            String all = head + text.map(to -> "set it there to: " + to).orElse("take it away there");
            Blocked blocked = new Blocked(reason, all);
            return blocked.message().equals(all)
                    ? new FieldConflict(blocked, "")
                    : new FieldConflict(
                            new Blocked(reason, head + "the text to set there does not fit here: see the log"),
                            text.orElse(""));
        }
    }

    static CapacityWrite of(NodeGroup group, NodeGroupPlan plan, String manager) {
        Draft draft = new Draft(group, plan.grouped(), manager);
        draft.add(CapacityAnnotations.TAINTS, CapacityAnnotations.TAINTS_TRACKING, plan.taints(),
                Reason.CAPACITY_APPLIED_BY_OTHER);
        draft.add(CapacityAnnotations.LABELS, CapacityAnnotations.LABELS_TRACKING, plan.labels(),
                Reason.CAPACITY_LABELS_APPLIED_BY_OTHER);
        return new CapacityWrite(draft.changes, draft.applied, draft.conflicts);
    }

    /** What somebody else manages too cannot be removed by applying the rest. Values of others are taken over. */
    Verb verb() {
        if (changes.isEmpty()) {
            return new Verb.None();
        }
        return changes.containsValue(Optional.<String>empty())
                ? new Verb.MergePatch(annotations(changes.entrySet().stream().collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().<Object>map(text -> text).orElse(Tree.ABSENT)))))
                : new Verb.Apply(annotations(applied), true);
    }

    private static Tree annotations(Map<String, ?> texts) {
        return Tree.of(Map.of("metadata", Map.of("annotations", texts)));
    }

    private static final class Draft {
        private final Map<String, Optional<String>> changes = new TreeMap<>();
        private final Map<String, String> applied = new TreeMap<>();
        private final List<FieldConflict> conflicts = new ArrayList<>(0);
        private final NodeGroup group;
        private final boolean grouped;
        private final String manager;

        Draft(NodeGroup group, boolean grouped, String manager) {
            this.group = group;
            this.grouped = grouped;
            this.manager = manager;
        }

        void add(String annotation, String trackedBy, CapacityPlan plan, Reason reason) {
            Set<String> others = new TreeSet<>(group.appliers(annotation));
            others.remove(manager);
            if (!others.isEmpty()) {
                leave(trackedBy, plan);
                if (grouped && plan.changesText()) {
                    conflicts.add(FieldConflict.of(reason, annotation, others, plan.text()));
                }
                return;
            }
            if (plan.isDue()) {
                change(annotation, plan.text());
                change(trackedBy, plan.tracking());
            }
            if (plan.isDue() || isManaged(annotation) || isManaged(trackedBy)) {
                plan.text().ifPresent(text -> applied.put(annotation, text));
                plan.tracking().ifPresent(text -> applied.put(trackedBy, text));
            }
        }

        /** Tracked without being applied by us, an entry that others write there later would be taken for ours. */
        private void leave(String trackedBy, CapacityPlan plan) {
            String tracking = group.metadata().annotations().get(trackedBy);
            if (plan.tracking().isEmpty() && (!grouped || !plan.changesText())) {
                change(trackedBy, Optional.empty());
            } else if (tracking != null && isManaged(trackedBy)) {
                applied.put(trackedBy, tracking);
            }
        }

        private void change(String annotation, Optional<String> text) {
            if (!text.equals(Optional.ofNullable(group.metadata().annotations().get(annotation)))) {
                changes.put(annotation, text);
            }
        }

        private boolean isManaged(String annotation) {
            return group.appliers(annotation).contains(manager);
        }
    }
}
