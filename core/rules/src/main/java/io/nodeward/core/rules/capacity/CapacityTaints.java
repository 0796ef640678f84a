package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.taint.DeclaredTaints;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The annotation {@value CapacityAnnotations#TAINTS} of a node group, from the taints that it declares. Users' entries
 * are kept and win; ours go when they are declared no more.
 */
public final class CapacityTaints {
    private static final Syntax SYNTAX = new TaintText();
    private static final int MOST_NAME = 63;
    private static final String PREFERRED = "PreferNoSchedule";

    private CapacityTaints() {}

    /**
     * Decides for a node group.
     *
     * @param spec its {@code spec.template.spec.taints}
     * @param template annotations of {@code spec.template.metadata}, which may declare taints too
     * @param annotations its own, where the autoscaler reads
     */
    public static CapacityPlan plan(
            List<MachineTaint> spec,
            Map<String, String> template,
            Map<String, String> annotations,
            CapacityPolicy policy) {
        DeclaredTaints declared = DeclaredTaints.of(spec);
        return plan(declared, DeclaredTaints.annotated(template, declared), annotations, policy);
    }

    /** The same, with taints that have been made ready. */
    public static CapacityPlan plan(
            DeclaredTaints spec, DeclaredTaints annotated, Map<String, String> annotations, CapacityPolicy policy) {
        if (!policy.propagatesTaints()) {
            return new CapacityPlan(
                    Optional.ofNullable(annotations.get(CapacityAnnotations.TAINTS)),
                    Optional.ofNullable(annotations.get(CapacityAnnotations.TAINTS_TRACKING)),
                    false, false, List.of());
        }
        boolean specIsRead = policy.autoscaler() == Autoscaler.READS_SPEC;
        Map<String, Entry> bySpec = advertised(spec.usable(), policy);
        Map<String, Entry> wanted = specIsRead ? new LinkedHashMap<>() : new LinkedHashMap<>(bySpec);
        advertised(annotated.usable(), policy).forEach(wanted::putIfAbsent);
        Set<String> held = new HashSet<>(advertised(annotated.held(), policy).keySet());
        if (!specIsRead) {
            held.addAll(advertised(spec.held(), policy).keySet());
        }
        // A copy that is behind would win over the spec, where that is read.
        Set<String> outdone = specIsRead ? bySpec.keySet() : Set.of();
        Map<String, Entry> read =
                policy.autoscaler().mayReadSpec() ? asDeclared(spec.usable()) : Map.of();
        return merge(annotations, policy.adopts(), warnings(spec, annotated, policy)).plan(
                wanted, read, id -> (annotated.incomplete() || held.contains(id)) && !outdone.contains(id));
    }

    /** The taints of an annotation's text, as the autoscaler reads it: what it skips is left out. */
    public static List<Taint> read(String text) {
        return Arrays.stream(text.split(",", -1)).flatMap(piece -> SYNTAX.read(piece).stream())
                .map(TaintText::taint).toList();
    }

    /** Takes away what is ours: for what is no node group any more, and to end all this. */
    public static CapacityPlan withdraw(Map<String, String> annotations) {
        return merge(annotations, false, new ArrayList<>(0)).withdraw();
    }

    /**
     * Whether an autoscaler from 1.36 on knows all of it without the annotation: the spec says all that is advertised. Not
     * where a declaration cannot be carried out, as what was advertised of it may still be there.
     */
    public static boolean isRedundant(DeclaredTaints annotated, CapacityPolicy policy) {
        boolean whole = !annotated.incomplete() && annotated.held().isEmpty();
        return !policy.propagatesTaints()
                || whole && annotated.usable().stream().allMatch(taint -> advertised(taint, policy).isEmpty());
    }

    private static Merge merge(Map<String, String> annotations, boolean adopts, List<Warning> warnings) {
        return new Merge(
                SYNTAX, annotations, CapacityAnnotations.TAINTS, CapacityAnnotations.TAINTS_TRACKING, adopts, warnings);
    }

    private static List<Warning> warnings(DeclaredTaints spec, DeclaredTaints annotated, CapacityPolicy policy) {
        List<Warning> warnings = new ArrayList<>(spec.warnings());
        warnings.addAll(annotated.warnings());
        if (policy.autoscaler().mayReadSpec()) {
            spec.usable().stream()
                    .filter(taint -> isInVain(taint, policy))
                    .forEach(taint -> warnings.add(inVain(taint)));
        }
        return warnings;
    }

    /** By id, as the autoscaler finds them in the spec. */
    private static Map<String, Entry> asDeclared(List<MachineTaint> taints) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        taints.stream().map(CapacityTaints::asDeclared).forEach(entry -> entries.put(entry.id(), entry));
        return entries;
    }

    private static Entry asDeclared(MachineTaint taint) {
        return TaintText.of(taint.key(), taint.value(), taint.effect());
    }

    /** What is advertised of them, by id; two of them may be advertised as one. */
    private static Map<String, Entry> advertised(List<MachineTaint> taints, CapacityPolicy policy) {
        Map<String, Entry> advertised = new LinkedHashMap<>();
        taints.forEach(
                taint -> advertised(taint, policy).ifPresent(entry -> advertised.putIfAbsent(entry.id(), entry)));
        return advertised;
    }

    /** What is advertised of one taint; empty for nothing. */
    private static Optional<Entry> advertised(MachineTaint taint, CapacityPolicy policy) {
        if (!isOnce(taint)) {
            return Optional.of(asDeclared(taint));
        }
        return switch (policy.onInitialization()) {
            case INCLUDE -> Optional.of(asDeclared(taint));
            case EXCLUDE -> Optional.empty();
            case STARTUP -> startupKey(taint.key(), policy)
                    .map(key -> TaintText.of(key, taint.value(), taint.effect()));
        };
    }

    /** Empty if it does not fit: the autoscaler ignores it either way. */
    private static Optional<String> startupKey(String key, CapacityPolicy policy) {
        if (policy.isIgnored(key)) {
            return Optional.of(key);
        }
        String name = key.replace('/', '_');
        return name.length() > MOST_NAME ? Optional.empty()
                : Optional.of(IgnoredTaints.prefix(policy.autoscaler()) + name);
    }

    private static boolean isOnce(MachineTaint taint) {
        return taint.propagation().equals(MachineTaint.ON_INITIALIZATION);
    }

    /** What is only preferred keeps no pod off in the simulation either. */
    private static boolean isInVain(MachineTaint taint, CapacityPolicy policy) {
        return isOnce(taint)
                && policy.onInitialization() != OnInitialization.INCLUDE
                && !taint.effect().equals(PREFERRED)
                && !policy.isIgnored(taint.key());
    }

    private static Warning inVain(MachineTaint taint) {
        return new Warning(Reason.INITIALIZATION_NOT_HIDDEN, "taint " + taint.key() + ":" + taint.effect()
                + " is read from the spec by a cluster-autoscaler of 1.36 or later, which takes it for permanent,"
                + " whatever the annotation says; give it a key that begins with " + IgnoredTaints.STARTUP_PREFIX
                + ", or name it in the autoscaler's --startup-taint or --startup-taint-prefix");
    }
}
