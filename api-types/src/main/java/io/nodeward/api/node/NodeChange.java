package io.nodeward.api.node;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Metadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One write to one Node: the whole taint list if it differs, and only the labels and annotations that differ. It holds
 * only on what it was planned from: the uid, all taints and {@link #PLANNED_FROM}, or the whole resourceVersion. {@code
 * spec.taints} is one atomic list, so a write without a precondition would take away what others added meanwhile.
 *
 * @param taints empty if the list stays as it is
 * @param labels new value by key; an empty Optional removes the key
 * @param annotations likewise
 */
public record NodeChange(
        String node,
        String resourceVersion,
        Optional<List<Taint>> taints,
        SortedMap<String, Optional<String>> labels,
        SortedMap<String, Optional<String>> annotations) {

    /**
     * The Node's annotations that decide what is changed. Of other labels and annotations a plan says what they are to be,
     * whatever they are.
     */
    public static final List<String> PLANNED_FROM = List.of(
            ClusterApi.TAINTS_FROM_MACHINE,
            TaintAnnotations.TRACKING,
            ClusterApi.LABELS_FROM_MACHINE,
            ClusterApi.ANNOTATIONS_FROM_MACHINE);

    public NodeChange {
        taints = taints.map(List::copyOf);
    }

    public boolean isEmpty() {
        return taints.isEmpty() && labels.isEmpty() && annotations.isEmpty();
    }

    /** The Node after this change, at the resourceVersion the server answered with. */
    public Node applyTo(Node before, String newResourceVersion) {
        Metadata m = before.metadata();
        Metadata after = new Metadata(
                m.key(),
                m.uid(),
                newResourceVersion,
                merged(m.labels(), labels),
                merged(m.annotations(), annotations),
                m.owners(),
                m.deleting());
        return new Node(after, before.providerId(), taints.orElse(before.taints()), before.created());
    }

    private static Map<String, String> merged(Map<String, String> before, SortedMap<String, Optional<String>> change) {
        if (change.isEmpty()) {
            return before;
        }
        Map<String, String> after = new TreeMap<>(before);
        change.forEach((key, value) -> value.ifPresentOrElse(v -> after.put(key, v), () -> after.remove(key)));
        return after;
    }
}
