package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.DeclaredTaints.Entry;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a Node's taints. A taint that is not ours, or is ours and right, keeps its element and its place; a
 * wrong value is replaced in place; what is missing comes last, in the owner's order.
 *
 * @param taints the whole new list, empty if the list stays as it is
 * @param tracking the new text of {@link ClusterApi#TAINTS_FROM_MACHINE}, empty if it stays as it is
 * @param annotated likewise of {@link TaintAnnotations#TRACKING}
 */
public record TaintPlan(
        Optional<List<Taint>> taints, Optional<String> tracking, Optional<String> annotated, List<Warning> warnings) {

    /**
     * With propagation: what is owned is read from the tracking annotations. That of taints declared by annotation is
     * written only where one is or was declared.
     *
     * @param annotated declared by annotation; see {@link DeclaredTaints#annotated}
     * @param when until when a Node gets taints for initialization alone
     */
    public static TaintPlan propagate(
            DeclaredTaints spec,
            DeclaredTaints annotated,
            Node node,
            Initialization when,
            boolean dropUninitialized) {
        List<Warning> warnings = warnings(spec, annotated);
        boolean complete = !annotated.incomplete();
        Layer bySpec = Layer.of(spec, complete, node, ClusterApi.TAINTS_FROM_MACHINE, when, warnings);
        boolean layered = !annotated.entries().isEmpty()
                || node.metadata().annotations().containsKey(TaintAnnotations.TRACKING);
        Layer byAnnotation = layered
                ? Layer.of(annotated, complete, node, TaintAnnotations.TRACKING, when, warnings)
                : Layer.NONE;
        return new TaintPlan(
                new Change(bySpec, byAnnotation, dropUninitialized).of(node.taints()),
                bySpec.tracking(byAnnotation),
                layered ? byAnnotation.tracking(bySpec) : Optional.empty(),
                warnings);
    }

    private static List<Warning> warnings(DeclaredTaints spec, DeclaredTaints annotated) {
        if (spec.warnings().isEmpty() && annotated.warnings().isEmpty()) {
            return new ArrayList<>(0);
        }
        List<Warning> warnings = new ArrayList<>(spec.warnings());
        warnings.addAll(annotated.warnings());
        return warnings;
    }

    /** Without propagation: only the initialization taint goes. */
    public static TaintPlan dropUninitialized(Node node) {
        Change change = new Change(Layer.NONE, Layer.NONE, true);
        return new TaintPlan(change.of(node.taints()), Optional.empty(), Optional.empty(), List.of());
    }

    private record Change(Layer bySpec, Layer byAnnotation, boolean dropUninitialized) {
        Optional<List<Taint>> of(List<Taint> before) {
            List<Taint> after = new ArrayList<>(before.size() + 2);
            boolean changed = false;
            for (Taint taint : before) {
                Taint kept = kept(taint);
                changed |= kept != taint;
                if (kept != null) {
                    after.add(kept);
                }
            }
            changed |= addMissing(bySpec, before, after) | addMissing(byAnnotation, before, after);
            return changed ? Optional.of(after) : Optional.empty();
        }

        private @Nullable Taint kept(Taint taint) {
            Layer layer = bySpec;
            Entry entry = bySpec.find(taint.key(), taint.effect());
            if (entry == null) {
                layer = byAnnotation;
                entry = byAnnotation.find(taint.key(), taint.effect());
            }
            if (entry == null) {
                return goes(taint) ? null : taint;
            }
            boolean differs = !entry.taint().value().equals(taint.value());
            return differs && layer.isWanted(entry) ? entry.onNode() : taint;
        }

        private boolean goes(Taint taint) {
            if (dropUninitialized && Initialization.isUninitialized(taint)) {
                return true;
            }
            if (bySpec.owned().isEmpty() && byAnnotation.owned().isEmpty()) {
                return false;
            }
            TaintId id = taint.id();
            return bySpec.lets(id) || byAnnotation.lets(id);
        }

        private static boolean addMissing(Layer layer, List<Taint> before, List<Taint> after) {
            boolean changed = false;
            for (Entry entry : layer.declared().entries()) {
                if (layer.isWanted(entry) && !isThere(entry, before)) {
                    changed = true;
                    after.add(entry.onNode());
                }
            }
            return changed;
        }

        private static boolean isThere(Entry entry, List<Taint> taints) {
            for (Taint taint : taints) {
                if (taint.effect().equals(entry.taint().effect()) && taint.key().equals(entry.taint().key())) {
                    return true;
                }
            }
            return false;
        }
    }
}
