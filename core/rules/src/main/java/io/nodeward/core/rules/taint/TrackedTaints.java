package io.nodeward.core.rules.taint;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Set;

/** What a Node says of the taints that are owned. */
public final class TrackedTaints {
    private TrackedTaints() {}

    /** Those that an annotation of the Node names; empty if the Node does not have it. */
    public static Optional<Set<TaintId>> of(Node node, String annotation) {
        return Optional.ofNullable(node.metadata().annotations().get(annotation)).map(text -> TaintTracking.parse(
                node.metadata().key().name(), annotation, text, new ArrayList<>(0)));
    }
}
