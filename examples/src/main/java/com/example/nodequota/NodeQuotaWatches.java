package com.example.nodequota;

import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which NodeQuotas a change of a Node concerns: those that count a label which the Node has got or lost. */
final class NodeQuotaWatches {
    private final NodeQuotaScope scope;

    NodeQuotaWatches(NodeQuotaScope scope) {
        this.scope = scope;
    }

    Set<ObjectKey> mapNode(@Nullable Node before, @Nullable Node after) {
        Set<String> had = labels(before);
        Set<String> changed = labels(after);
        Set<String> kept = new HashSet<>(had);
        kept.retainAll(changed);
        changed.addAll(had);
        changed.removeAll(kept);
        return changed.stream().flatMap(label -> scope.quotasOf(label).stream()).map(CustomResource::key)
                .collect(Collectors.toSet());
    }

    private static Set<String> labels(@Nullable Node node) {
        return new HashSet<>(node == null ? List.of() : NodeQuotaScope.labels(node));
    }
}
