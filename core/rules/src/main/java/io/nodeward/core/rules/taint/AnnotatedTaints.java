package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.AnnotatedTaint;
import io.nodeward.core.rules.validation.NodeAcceptance;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the taints that an owner declares by annotation. */
final class AnnotatedTaints {
    private final List<MachineTaint> taints = new ArrayList<>();
    private final List<Warning> warnings = new ArrayList<>(0);
    /** Name of the annotation that declares it. */
    private final Map<TaintId, String> names = new HashMap<>();

    private AnnotatedTaints() {}

    /**
     * What the annotations declare besides {@code spec}, which wins where both have the same key and effect. Of two
     * annotations with the same key and effect the bytewise first name wins.
     */
    static DeclaredTaints of(Map<String, String> annotations, DeclaredTaints spec) {
        SortedMap<String, String> declared = declaring(annotations);
        if (declared.isEmpty()) {
            return DeclaredTaints.NONE;
        }
        AnnotatedTaints read = new AnnotatedTaints();
        boolean unreadable = false;
        for (Map.Entry<String, String> annotation : declared.entrySet()) {
            Optional<MachineTaint> taint = AnnotatedTaint.parse(annotation.getValue());
            unreadable |= taint.filter(AnnotatedTaints::isIdentified).isEmpty();
            taint.ifPresentOrElse(
                    t -> read.add(annotation.getKey(), t, spec),
                    () -> read.warnings.add(unreadable(annotation.getKey(), annotation.getValue())));
        }
        return DeclaredTaints.of(read.taints, read.warnings, unreadable);
    }

    private static SortedMap<String, String> declaring(Map<String, String> annotations) {
        SortedMap<String, String> declared = Collections.emptySortedMap();
        for (Map.Entry<String, String> annotation : annotations.entrySet()) {
            if (annotation.getKey().startsWith(TaintAnnotations.PREFIX)) {
                declared = declared.isEmpty() ? new TreeMap<>() : declared;
                declared.put(annotation.getKey(), annotation.getValue());
            }
        }
        return declared;
    }

    private void add(String name, MachineTaint taint, DeclaredTaints spec) {
        if (spec.find(taint.key(), taint.effect()) != null) {
            return;
        }
        String first = names.putIfAbsent(new TaintId(taint.key(), taint.effect()), name);
        if (first == null) {
            taints.add(taint);
        } else {
            warnings.add(new Warning(Reason.DUPLICATE_TAINT, "annotation " + name + " repeats key and effect of "
                    + first + ", which is used: " + taint.key() + ":" + taint.effect()));
        }
    }

    /** Whether it names one taint of a Node. */
    private static boolean isIdentified(MachineTaint taint) {
        return NodeAcceptance.isQualifiedName(taint.key()) && NodeAcceptance.isEffect(taint.effect());
    }

    private static Warning unreadable(String name, String text) {
        return new Warning(Reason.UNREADABLE_ANNOTATION, "annotation " + name + ": \"" + text
                + "\" is not " + AnnotatedTaint.FORM + "; until it is, no taint is removed");
    }
}
