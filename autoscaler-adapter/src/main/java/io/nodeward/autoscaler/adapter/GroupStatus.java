package io.nodeward.autoscaler.adapter;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.StatusByKind;
import io.nodeward.core.runtime.status.StatusReporter;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The status of node groups: a log line for a write; a Warning Event and a condition for what somebody must fix. */
final class GroupStatus {
    /** Not that of the other controllers, which report on the same objects. */
    static final String CONDITION = Condition.PREFIX + "CapacityBlocked";

    private GroupStatus() {}

    static StatusReporter<GroupKey> of(Conditions conditions, EventRecorder events) {
        Conditions capacity = conditions.named(CONDITION);
        Map<GroupKind, StatusReporter<ObjectKey>> reporters = Stream.of(GroupKind.values())
                .collect(Collectors.toMap(kind -> kind, kind -> new ObjectStatus(
                        kind.text(), "autoscaler", AdapterReconciler.FIELD_MANAGER, capacity, events)));
        return new StatusByKind<>(key -> reporters.get(key.kind()), GroupKey::object);
    }
}
