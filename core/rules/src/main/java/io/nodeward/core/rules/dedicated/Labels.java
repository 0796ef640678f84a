package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.label.LabelDomains;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The labels that a Node has because of its groups. */
final class Labels {
    private final Map<String, String> there;
    private final Set<String> tracked;
    private final Set<String> byMachine;
    private final SortedMap<String, String> wanted = new TreeMap<>();

    Labels(Node node) {
        there = node.metadata().labels();
        tracked = entries(node, DedicatedAnnotations.LABELS);
        // A kubelet may write any annotation: by this one it must not take away labels that it could not itself.
        tracked.removeIf(key -> !LabelDomains.isRestricted(key));
        byMachine = entries(node, ClusterApi.LABELS_FROM_MACHINE);
    }

    private static Set<String> entries(Node node, String annotation) {
        return new TreeSet<>(List.of(node.metadata().annotations().getOrDefault(annotation, "").split(",")));
    }

    /** The value that the Node has instead and keeps, if something else manages the label. */
    Optional<String> want(Group group) {
        String key = group.labelKey();
        String value = group.spec().taint().value();
        String found = there.get(key);
        if (found == null) {
            wanted.put(key, value);
            return Optional.empty();
        }
        boolean right = found.equals(value);
        if (tracked.contains(key) && (right || !byMachine.contains(key))) {
            wanted.put(key, value);
            return Optional.empty();
        }
        return right ? Optional.empty() : Optional.of(found);
    }

    /** Whether the Node has the label that comes with this taint. */
    boolean isThere(TaintId taint) {
        return there.containsKey(LabelDomains.restricted(taint.key()));
    }

    Set<String> managed() {
        return wanted.keySet();
    }

    SortedMap<String, Optional<String>> changes() {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        for (String key : tracked) {
            if (there.containsKey(key) && !wanted.containsKey(key) && !byMachine.contains(key)) {
                changes.put(key, Optional.empty());
            }
        }
        wanted.forEach((key, value) -> {
            if (!value.equals(there.get(key))) {
                changes.put(key, Optional.of(value));
            }
        });
        return changes;
    }
}
