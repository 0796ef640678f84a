package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node group's annotations for tests, and what becomes of them. */
record Group(Map<String, String> annotations) {
    static final Group EMPTY = new Group(Map.of());

    static Group with(String text) {
        return EMPTY.put(CapacityAnnotations.TAINTS, text);
    }

    /** @param tracking the entries that are ours */
    static Group with(String text, String tracking) {
        return with(text).put(CapacityAnnotations.TAINTS_TRACKING, tracking);
    }

    Group put(String annotation, String text) {
        Map<String, String> more = new TreeMap<>(annotations);
        more.put(annotation, text);
        return new Group(more);
    }

    /** As a user edits it: what says what is ours stays as it is. */
    Group edited(String text) {
        return put(CapacityAnnotations.TAINTS, text);
    }

    CapacityPlan plan(MachineTaint... spec) {
        return plan(CapacityPolicy.standard(), spec);
    }

    CapacityPlan plan(CapacityPolicy policy, MachineTaint... spec) {
        return CapacityTaints.plan(List.of(spec), Map.of(), annotations, policy);
    }

    /** After what is planned for these taints has been written. */
    Group declaring(MachineTaint... spec) {
        return written(plan(spec));
    }

    Group written(CapacityPlan plan) {
        return plan.isDue() ? written(plan, CapacityAnnotations.TAINTS, CapacityAnnotations.TAINTS_TRACKING) : this;
    }

    Group writtenLabels(CapacityPlan plan) {
        return plan.isDue() ? written(plan, CapacityAnnotations.LABELS, CapacityAnnotations.LABELS_TRACKING) : this;
    }

    private Group written(CapacityPlan plan, String annotation, String tracking) {
        Map<String, String> after = new TreeMap<>(annotations);
        after.remove(annotation);
        after.remove(tracking);
        plan.text().ifPresent(text -> after.put(annotation, text));
        plan.tracking().ifPresent(text -> after.put(tracking, text));
        return new Group(after);
    }

    /** Null if it is not there. */
    String text() {
        return annotations.get(CapacityAnnotations.TAINTS);
    }

    /** Null if it is not there. */
    String tracking() {
        return annotations.get(CapacityAnnotations.TAINTS_TRACKING);
    }
}
