package io.nodeward.core.rules.capacity;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.core.rules.label.LabelDomains;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The annotation {@value CapacityAnnotations#LABELS} of a node group, from the labels that will reach its Nodes. Users'
 * entries are kept and win; ours go when they are declared no more.
 */
public final class CapacityLabels {
    private static final Syntax SYNTAX = new LabelText();

    private CapacityLabels() {}

    /**
     * Decides for a node group.
     *
     * @param template labels of {@code spec.template.metadata}; none where they are not carried to Nodes at all
     * @param additional patterns of labels that are carried besides those of the managed domains
     * @param annotations its own, where the autoscaler reads
     * @param adopts whether a user's entry that says what is declared becomes ours, and goes when it is declared no more
     */
    public static CapacityPlan plan(
            Map<String, String> template, List<Pattern> additional, Map<String, String> annotations, boolean adopts) {
        Map<String, Entry> wanted = new LinkedHashMap<>();
        new TreeMap<>(template).forEach((key, value) -> {
            Entry entry = LabelText.of(key, value);
            // What no Node accepts is reported where it is refused; in the text it could be taken for two entries.
            if (LabelDomains.isManaged(key, additional) && SYNTAX.isWritable(entry)) {
                wanted.put(entry.id(), entry);
            }
        });
        return merge(annotations, adopts).plan(wanted, Map.of(), id -> false);
    }

    /** Takes away what is ours: for what is no node group any more, and to end all this. */
    public static CapacityPlan withdraw(Map<String, String> annotations) {
        return merge(annotations, false).withdraw();
    }

    private static Merge merge(Map<String, String> annotations, boolean adopts) {
        return new Merge(
                SYNTAX, annotations, CapacityAnnotations.LABELS, CapacityAnnotations.LABELS_TRACKING, adopts,
                new ArrayList<>(0));
    }
}
