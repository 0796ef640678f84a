package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.NodeAcceptance;
import io.nodeward.core.rules.validation.Violation;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * An owner's taints, made ready for any number of Nodes: what cannot be used is left out and named in a Warning, at
 * most one item per key and effect is left, and the same list in another order gives the same set and the same
 * tracking text.
 */
public final class DeclaredTaints {
    /** An owner that declares nothing. */
    public static final DeclaredTaints NONE = new DeclaredTaints(List.of(), List.of(), false);

    private final List<Entry> entries;
    private final String tracking;
    private final boolean holds;
    private final boolean incomplete;
    private final List<Warning> warnings;

    private DeclaredTaints(List<Entry> entries, List<Warning> warnings, boolean incomplete) {
        this.entries = entries;
        this.incomplete = incomplete;
        this.warnings = List.copyOf(warnings);
        List<String> ids = new ArrayList<>(entries.size());
        boolean held = false;
        for (Entry entry : entries) {
            held |= entry.use == Use.HELD;
            if (entry.use == Use.ALWAYS) {
                ids.add(entry.id().toString());
            }
        }
        // Keys and effects that a Node accepts are ASCII: the order of Strings is the order of their bytes.
        Collections.sort(ids);
        this.tracking = String.join(",", ids);
        this.holds = held;
    }

    /** Declared by {@code spec.taints}. */
    public static DeclaredTaints of(List<MachineTaint> declared) {
        return declared.isEmpty() ? NONE : of(declared, List.of(), false);
    }

    /**
     * Declared by annotations {@value TaintAnnotations#PREFIX}...
     *
     * @param spec what the same owner declares by {@code spec.taints}: it wins on the same key and effect
     */
    public static DeclaredTaints annotated(Map<String, String> annotations, DeclaredTaints spec) {
        return AnnotatedTaints.of(annotations, spec);
    }

    /**
     * Makes them ready.
     *
     * @param known Warnings about what is not among {@code declared}
     * @param incomplete see {@link #incomplete()}
     */
    static DeclaredTaints of(List<MachineTaint> declared, List<Warning> known, boolean incomplete) {
        Map<TaintId, Entry> entries = new LinkedHashMap<>();
        Set<TaintId> repeated = new HashSet<>(0);
        List<Warning> warnings = new ArrayList<>(known);
        for (MachineTaint taint : declared) {
            Entry entry = entry(taint, warnings);
            if (entry != null) {
                entries.merge(entry.id(), entry, (one, other) -> {
                    repeated.add(one.id());
                    return preferred(one, other);
                });
            }
        }
        for (Entry entry : entries.values()) {
            if (repeated.contains(entry.id())) {
                warnings.add(duplicate(entry));
            }
        }
        return new DeclaredTaints(List.copyOf(entries.values()), warnings, incomplete);
    }

    /** The same, but of those for initialization only these. */
    public DeclaredTaints again(Set<TaintId> once) {
        List<Entry> left =
                entries.stream().filter(entry -> entry.use != Use.ONCE || once.contains(entry.id())).toList();
        return new DeclaredTaints(left, warnings, incomplete);
    }

    /** Returns the same, of which more may be declared; see {@link #incomplete()}. */
    public DeclaredTaints asIncomplete() {
        return new DeclaredTaints(entries, warnings, true);
    }

    /** What of the declaration could not be used as it stands; the rest goes on. */
    public List<Warning> warnings() {
        return warnings;
    }

    /** Those that new Nodes get, always or once, in the order in which they were declared. */
    public List<MachineTaint> usable() {
        return entries.stream().filter(entry -> entry.isWanted(false)).map(Entry::taint).toList();
    }

    /** The others: declared, but not in a way that can be carried out. What is there stays as it is. */
    public List<MachineTaint> held() {
        return entries.stream().filter(entry -> !entry.isWanted(false)).map(Entry::taint).toList();
    }

    List<Entry> entries() {
        return entries;
    }

    /** The tracking annotation of a Node that has all of this and nothing held. */
    String tracking() {
        return tracking;
    }

    /** Whether an entry is {@link Use#HELD}, so that the tracking text depends on the Node. */
    boolean holds() {
        return holds;
    }

    /**
     * Whether more may be declared than could be read, because of a typo or in a version without the field: nothing that is
     * owned is removed meanwhile, as that would open the Node.
     */
    public boolean incomplete() {
        return incomplete;
    }

    @Nullable
    Entry find(String key, String effect) {
        for (Entry entry : entries) {
            if (entry.taint.effect().equals(effect) && entry.taint.key().equals(key)) {
                return entry;
            }
        }
        return null;
    }

    private static @Nullable Entry entry(MachineTaint taint, List<Warning> warnings) {
        if (MachineTaintRules.isReserved(taint.key())) {
            warnings.add(new Warning(Reason.RESERVED_TAINT,
                    "taint " + id(taint) + " is left out: its key is managed by Cluster API itself"));
            return null;
        }
        if (!NodeAcceptance.isQualifiedName(taint.key()) || !NodeAcceptance.isEffect(taint.effect())) {
            warnings.add(unusable(taint));
            return null;
        }
        if (MachineTaintRules.isLifecycle(taint.key())) {
            warnings.add(new Warning(Reason.LIFECYCLE_TAINT,
                    "taint " + id(taint) + " is also set and removed by Kubernetes: the two will fight over it"));
        }
        return new Entry(taint, use(taint, warnings));
    }

    private static Use use(MachineTaint taint, List<Warning> warnings) {
        boolean accepted = NodeAcceptance.isLabelValue(taint.value());
        if (!accepted) {
            warnings.add(unusable(taint));
        }
        return switch (taint.propagation()) {
            case MachineTaint.ALWAYS -> accepted ? Use.ALWAYS : Use.HELD;
            case MachineTaint.ON_INITIALIZATION -> accepted ? Use.ONCE : Use.NEVER;
            default -> {
                warnings.add(new Warning(Reason.UNKNOWN_PROPAGATION,
                        "taint " + id(taint) + " is left as it is on the Node: unknown propagation \""
                                + taint.propagation() + '"'));
                yield Use.HELD;
            }
        };
    }

    /** Any rule would do that does not depend on the order: the one that does more, then the bytewise first value. */
    private static Entry preferred(Entry one, Entry other) {
        int order = one.use.compareTo(other.use);
        if (order == 0) {
            order = one.taint.value().compareTo(other.taint.value());
        }
        return order <= 0 ? one : other;
    }

    private static Warning duplicate(Entry used) {
        return new Warning(Reason.DUPLICATE_TAINT, "taint " + used.id() + " is declared more than once: value \""
                + used.taint.value() + "\" with propagation " + used.taint.propagation() + " is used");
    }

    private static Warning unusable(MachineTaint taint) {
        StringJoiner faults = new StringJoiner("; ");
        for (Violation fault : NodeAcceptance.violations("", taint)) {
            faults.add(fault.field().substring(1) + ": " + fault.message());
        }
        return new Warning(Reason.UNUSABLE_TAINT, "taint " + taint.key() + '=' + taint.value() + ':' + taint.effect()
                + " is not written to any Node: " + faults);
    }

    private static TaintId id(MachineTaint taint) {
        return new TaintId(taint.key(), taint.effect());
    }

    /** What to do for a declared taint, the most first. */
    enum Use {
        /** Ensured with its value, and tracked. */
        ALWAYS,
        /** Set when the Node is initialized, never tracked. */
        ONCE,
        /**
         * Declared, but not in a way that can be carried out: what is on the Node and in the tracking annotation
         * stays as it is. Removing it would open the Node because of a typo in a value.
         */
        HELD,
        /** As ONCE, but no Node accepts the value: not set, and not removed either. */
        NEVER
    }

    /** One declared taint whose key and effect a Node accepts. */
    record Entry(MachineTaint taint, Use use) {
        TaintId id() {
            return DeclaredTaints.id(taint);
        }

        boolean isWanted(boolean initialized) {
            return use == Use.ALWAYS || use == Use.ONCE && !initialized;
        }

        Taint onNode() {
            return Taint.of(taint.key(), taint.value(), taint.effect());
        }
    }
}
