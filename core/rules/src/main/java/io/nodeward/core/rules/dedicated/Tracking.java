package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.meta.Sha256;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.TrackedTaints;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What annotations of a Node say that it has because of groups. A kubelet may write any annotation of its Node, but not the
 * label with their digest: annotations that do not match it prove nothing.
 *
 * @param proven whether the annotations are as they were written in the same request as the label
 * @param disproven whether there is a label, and they are not
 * @param claimed the taints that the annotation lists, proven or not
 * @param labels keys of the labels that are proven to be managed
 */
record Tracking(boolean proven, boolean disproven, Set<TaintId> claimed, Set<String> labels) {
    /** A label's value has at most 63 characters; these are 160 bits. */
    private static final int DIGITS = 40;

    static Tracking of(Node node) {
        Map<String, String> annotations = node.metadata().annotations();
        String taints = annotations.getOrDefault(DedicatedAnnotations.TAINTS, "");
        String labels = annotations.getOrDefault(DedicatedAnnotations.LABELS, "");
        String digest = node.metadata().labels().get(DedicatedAnnotations.DIGEST);
        boolean proven = digest != null && digest.equals(digest(taints, labels));
        return new Tracking(proven, digest != null && !proven,
                TrackedTaints.of(node, DedicatedAnnotations.TAINTS).orElse(Set.of()),
                proven ? new TreeSet<>(List.of(labels.split(","))) : Set.of());
    }

    /**
     * The annotations of the Node, and the label with their digest, that are not as they should be, as a patch of each.
     *
     * @param unproven whether something may be managed that they do not list: a digest that is there stays as a sign of it
     */
    static void track(Node node, Collection<TaintId> taints, Collection<String> labels, boolean unproven,
            SortedMap<String, Optional<String>> changedAnnotations, SortedMap<String, Optional<String>> changedLabels) {
        String ofTaints = joined(taints);
        String ofLabels = joined(labels);
        put(DedicatedAnnotations.TAINTS, ofTaints, node.metadata().annotations(), changedAnnotations);
        put(DedicatedAnnotations.LABELS, ofLabels, node.metadata().annotations(), changedAnnotations);
        if (!unproven) {
            put(DedicatedAnnotations.DIGEST, ofTaints.isEmpty() && ofLabels.isEmpty() ? "" : digest(ofTaints, ofLabels),
                    node.metadata().labels(), changedLabels);
        }
    }

    private static void put(
            String key, String value, Map<String, String> there, SortedMap<String, Optional<String>> changes) {
        Optional<String> wanted = value.isEmpty() ? Optional.empty() : Optional.of(value);
        if (!wanted.equals(Optional.ofNullable(there.get(key)))) {
            changes.put(key, wanted);
        }
    }

    private static String joined(Collection<?> all) {
        return all.stream().map(Object::toString).sorted().collect(Collectors.joining(","));
    }

    private static String digest(String taints, String labels) {
        return Sha256.hex(taints + "\n" + labels).substring(0, DIGITS);
    }
}
