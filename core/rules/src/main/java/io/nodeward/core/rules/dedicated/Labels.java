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
    private final Node node;
    private final Map<String, String> there;
    private final Set<String> tracked;
    private final Set<String> byMachine;
    private final SortedMap<String, String> wanted = new TreeMap<>();

    Labels(Node node) {
        this.node = node;
        there = node.metadata().labels();
        tracked = entries(node, DedicatedAnnotations.LABELS);
        // A kubelet may write any annotation: by this one it must not take away labels that it could not itself.
        tracked.removeIf(key -> !LabelDomains.isRestricted(key));
        byMachine = entries(node, ClusterApi.LABELS_FROM_MACHINE);
    }

    private static Set<String> entries(Node node, String annotation) {
        return new TreeSet<>(List.of(node.metadata().annotations().getOrDefault(annotation, "").split(",")));
    }

    /** Whether the Node has the group's label as declared, and nothing says whose it is. */
    boolean isForgotten(Group group) {
        String key = group.labelKey();
        return group.spec().taint().value().equals(there.get(key)) && !tracked.contains(key)
                && !byMachine.contains(key);
    }

    /** From now on the group's label is managed. */
    void adopt(Group group) {
        wanted.put(group.labelKey(), group.spec().taint().value());
    }

    /** What the Node has under the group's label stays, and stays managed if it is. */
    void keep(Group group) {
        String key = group.labelKey();
        String found = there.get(key);
        if (found != null && tracked.contains(key)) {
            wanted.put(key, found);
        }
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

    /** Whether the Node has the label that comes with this taint, or gets it now. */
    boolean isThere(TaintId taint) {
        String key = LabelDomains.restricted(taint.key());
        return there.containsKey(key) || wanted.containsKey(key);
    }

    Set<String> managed() {
        Set<String> managed = new TreeSet<>(wanted.keySet());
        tracked.stream().filter(key -> isOurs(key) && !hasTaint(key)).forEach(managed::add);
        return managed;
    }

    private boolean isOurs(String key) {
        return there.containsKey(key) && !byMachine.contains(key);
    }

    /** Whether there is a taint that came with this label: a kubelet may write the annotation, but sets no taint. */
    private boolean hasTaint(String key) {
        return node.taints().stream().anyMatch(taint -> LabelDomains.restricted(taint.key()).equals(key)
                && taint.value().equals(there.get(key)));
    }

    SortedMap<String, Optional<String>> changes() {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        for (String key : tracked) {
            if (isOurs(key) && !wanted.containsKey(key) && hasTaint(key)) {
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
