package io.nodeward.core.runtime.cluster;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Reports that a Cluster is blocked: a condition and a Warning Event when it has been for a while. */
final class ClusterStatus {
    private static final String FIELD_MANAGER = "nodeward-cluster";
    private static final String SOURCE = "cluster";

    private final ManagementCluster management;
    private final EventRecorder events;
    private final Conditions conditions;
    /** Clusters with a Warning Event, to forget it when they are gone. */
    private final Map<ObjectKey, Event.Regarding> reported = new ConcurrentHashMap<>();

    ClusterStatus(ManagementCluster management, EventRecorder events, Conditions conditions) {
        this.management = management;
        this.events = events;
        this.conditions = conditions;
    }

    /** Returns how long until it is reported, should it last; zero if there is nothing to wait for. */
    Duration report(Cluster cluster, Optional<Blocked> by) {
        if (cluster.paused() || cluster.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION)) {
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
            warn(target, left.isZero() ? blocked : Optional.empty());
        }
        return left;
    }

    private void warn(Target target, Optional<Blocked> blocked) {
        Event.Regarding regarding = target.regarding();
        if (blocked.isPresent()) {
            reported.put(regarding.key(), regarding);
        } else if (reported.remove(regarding.key()) == null) {
            return;
        }
        events.report(
                SOURCE, regarding, blocked.map(b -> Map.of(b.reason(), b.message())).orElse(Map.of()));
    }

    /** Whatever blocks it next has not blocked it before. */
    void startOver(ObjectKey key) {
        conditions.startOver("Cluster", key);
    }

    void forget(ObjectKey key) {
        Event.Regarding regarding = reported.remove(key);
        if (regarding != null) {
            events.report(SOURCE, regarding, Map.of());
        }
        conditions.forget("Cluster", key);
    }

    /** How many Clusters have a Warning Event. */
    int size() {
        return reported.size();
    }
}
