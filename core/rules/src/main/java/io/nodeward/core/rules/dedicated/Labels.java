package io.nodeward.core.rules.dedicated;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.label.LabelDomains;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The labels that a Node has because of its groups. */
final class Labels {
    private final Map<String, String> there;
    private final Set<String> tracked;
    private final Set<String> byMachine;
    private final SortedMap<String, String> wanted = new TreeMap<>();

    /** @param tracked keys of those that are managed */
    Labels(Node node, Set<String> tracked) {
        this.there = node.metadata().labels();
        this.tracked = tracked;
        this.byMachine = new HashSet<>(List.of(
                node.metadata().annotations().getOrDefault(ClusterApi.LABELS_FROM_MACHINE, "").split(",")));
    }

    /** Whether the Node has the group's label as declared, and not because of its Machine. */
    boolean isAsDeclared(Group group) {
        return isThere(group.labelKey(), group.spec().taint().value());
    }

    /** Whether the Node has the label of a group with this taint, and not because of its Machine. */
    boolean isMirrorOf(Taint taint) {
        return isThere(LabelDomains.restricted(taint.key()), taint.value());
    }

    private boolean isThere(String key, String value) {
        return value.equals(there.get(key)) && !byMachine.contains(key);
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

    Set<String> managed() {
        return wanted.keySet();
    }

    /**
     * Returns the labels that change. A label that the digest proves to be managed goes although an annotation says that the Machine
     * has it too, because a kubelet may write that annotation. If the Machine does declare it, its controller sets it again.
     */
    SortedMap<String, Optional<String>> changes() {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        for (String key : tracked) {
            if (there.containsKey(key) && !wanted.containsKey(key)) {
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
