package io.nodeward.core.runtime.cluster;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.ReportedEvents;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Reports that a Cluster is blocked: a condition and a Warning Event when it has been for a while. */
final class ClusterStatus {
    private static final String FIELD_MANAGER = "nodeward-cluster";

    private final ManagementCluster management;
    private final ReportedEvents<ObjectKey> events;
    private final Conditions conditions;

    ClusterStatus(ManagementCluster management, EventRecorder events, Conditions conditions) {
        this.management = management;
        this.events = new ReportedEvents<>("cluster", events);
        this.conditions = conditions;
    }

    /** Returns how long until it is reported, should it last; zero if there is nothing to wait for. */
    Duration report(Cluster cluster, Optional<Blocked> by) {
        if (cluster.pauses(cluster.metadata())) {
            return Duration.ZERO;
        }
        // The control plane of a Cluster that is being deleted goes before it does.
        Optional<Blocked> blocked = cluster.metadata().deleting() ? Optional.empty() : by;
        Target target = Target.of(management.version(), cluster);
        // Only somebody can fix a Secret, while a server may come back by itself.
        boolean forGood = blocked.filter(b -> b.reason().equals("KubeconfigRefused")).isPresent();
        if (forGood) {
            warn(target, blocked);
        }
        Duration left = conditions.report(target, blocked, FIELD_MANAGER);
        if (!forGood) {
            warn(target, blocked.filter(lasting -> conditions.hasLasted(target)));
        }
        return left;
    }

    private void warn(Target target, Optional<Blocked> blocked) {
        events.report(target.regarding().key(), target.regarding(),
                blocked.map(by -> Map.of(by.reason(), by.message())).orElse(Map.of()));
    }

    /** Whatever blocks it next has not blocked it before. */
    void startOver(ObjectKey key) {
        conditions.startOver(new ObjectId("Cluster", key));
    }

    void forget(ObjectKey key) {
        events.end(key);
        conditions.forget(new ObjectId("Cluster", key));
    }

    /** How many Clusters have a Warning Event. */
    int size() {
        return events.size();
    }
}
