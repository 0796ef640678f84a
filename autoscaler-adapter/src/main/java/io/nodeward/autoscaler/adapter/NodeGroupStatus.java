package io.nodeward.autoscaler.adapter;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.status.StatusByKind;
import io.nodeward.core.runtime.status.StatusReporter;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The status of node groups: a log line for a write; a Warning Event and a condition for what somebody must fix. */
final class NodeGroupStatus {
    /** Not that of the other controllers, which report on the same objects. */
    static final String CONDITION = Condition.PREFIX + "CapacityBlocked";

    private NodeGroupStatus() {}

    static StatusReporter<NodeGroupKey> of(ControllerContext context) {
        Map<NodeGroupKind, StatusReporter<ObjectKey>> reporters = Stream.of(NodeGroupKind.values())
                .collect(Collectors.toMap(
                        kind -> kind, kind -> context.objectStatus(kind.text(), AdapterReconciler.NAME, CONDITION)));
        return new StatusByKind<>(key -> reporters.get(key.kind()), NodeGroupKey::object);
    }
}
