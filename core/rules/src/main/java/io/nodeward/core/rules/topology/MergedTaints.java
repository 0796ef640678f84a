package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Taints declared in more than one place, merged by key and effect, and who declared each. The order is that of the
 * list below, then what the list above it adds in its own order; what is overridden keeps its place.
 */
public record MergedTaints(List<Entry> entries) {
    /** Nobody declares anything. */
    public static final MergedTaints NONE = new MergedTaints(List.of());

    public MergedTaints {
        entries = List.copyOf(entries);
    }

    /** Who declares a taint. */
    public enum Source {
        CLUSTER_CLASS,
        CLUSTER
    }

    /**
     * One taint.
     *
     * @param hidden the same taint as declared by others, who are overridden, from the nearest down; their own hidden
     *     entries are in this list and not in them
     */
    public record Entry(MachineTaint taint, Source source, List<Entry> hidden) {
        public Entry {
            hidden = List.copyOf(hidden);
        }

        private Entry over(Entry below) {
            List<Entry> all = new ArrayList<>(hidden);
            all.add(new Entry(below.taint, below.source, List.of()));
            all.addAll(below.hidden);
            return new Entry(taint, source, all);
        }
    }

    /** One list. No server stores a key and effect twice in it; if it does, the first counts. */
    public static MergedTaints of(Source source, List<MachineTaint> taints) {
        Map<TaintId, Entry> entries = new LinkedHashMap<>();
        for (MachineTaint taint : taints) {
            entries.putIfAbsent(taint.id(), new Entry(taint, source, List.of()));
        }
        return new MergedTaints(List.copyOf(entries.values()));
    }

    /** This, with another list over it: on the same key and effect the other's value and propagation count. */
    public MergedTaints overlaidBy(MergedTaints above) {
        Map<TaintId, Entry> merged = new LinkedHashMap<>();
        entries.forEach(entry -> merged.put(entry.taint.id(), entry));
        above.entries.forEach(entry -> merged.merge(entry.taint.id(), entry, (below, over) -> over.over(below)));
        return new MergedTaints(List.copyOf(merged.values()));
    }

    public List<MachineTaint> taints() {
        return entries.stream().map(Entry::taint).toList();
    }

    /** What one source declares and nobody overrides. */
    public MergedTaints from(Source source) {
        return new MergedTaints(entries.stream().filter(entry -> entry.source == source).toList());
    }

    /** What is lost where the Cluster's list replaces the ClusterClass's, as with Cluster API's manager. */
    public MergedTaints dropped() {
        return from(Source.CLUSTER).entries.isEmpty() ? NONE : from(Source.CLUSTER_CLASS);
    }
}
