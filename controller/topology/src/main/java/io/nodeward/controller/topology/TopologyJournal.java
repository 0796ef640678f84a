package io.nodeward.controller.topology;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * What the topology room says of its work: for what somebody must put right, should it last, one Warning Event for each
 * reason and one condition on the object that declares, however many are below it. Beside a manager that carries too, an
 * object is often wrong for as long as that takes.
 */
final class TopologyJournal {
    /** Two rooms that say something of one object would take each other's condition for their own. */
    static final String CONDITION = Condition.PREFIX + "TopologyBlocked";

    private final ManagementCluster management;
    private final TopologyCaches caches;
    private final EventRecorder warnings;
    private final Conditions conditions;
    private final Troubles troubles = new Troubles();
    /** Objects with Events, to forget what was said when it is over. */
    private final Map<Declarer, Event.Regarding> warned = new ConcurrentHashMap<>();
    private volatile Consumer<Declarer> changed = declarer -> {};

    @Inject
    TopologyJournal(
            ManagementCluster management, TopologyCaches caches, EventRecorder warnings, Conditions conditions) {
        this.management = management;
        this.caches = caches;
        this.warnings = warnings;
        this.conditions = conditions.named(CONDITION);
    }

    /** @param who told of objects of which there is something else to {@link #tell} */
    void whenChanged(Consumer<Declarer> who) {
        changed = who;
    }

    /** How long something must be wrong before it is said. */
    Duration patience() {
        return conditions.after();
    }

    /** @param name of the object that the task is about, with its kind */
    void stuck(Task task, Declarer declarer, String name, Blocked by) {
        troubles.put(task, new Troubles.Trouble(declarer, name, by)).forEach(changed);
    }

    /** Nothing is wrong with the object as far as is known, or it is gone. */
    void free(Task task) {
        troubles.remove(task).forEach(changed);
    }

    /** Says what is known of all those below an object. */
    Result tell(Declarer declarer) {
        Optional<Target> target = target(declarer);
        if (target.isEmpty()) {
            troubles.forget(declarer);
            conditions.forget(declarer.level().kind(), declarer.key());
            warn(declarer, Map.of());
            return Result.done();
        }
        Map<String, String> messages = troubles.messages(declarer);
        Optional<Blocked> worst = troubles.worst(declarer);
        Duration left = conditions.report(target.get(), worst, TopologyReconciler.FIELD_MANAGER);
        if (worst.isPresent() && left.isZero()) {
            warned.put(declarer, target.get().regarding());
        }
        warn(declarer, left.isZero() ? messages : Map.of());
        return worst.map(by -> Result.blocked(by, left)).orElse(Result.done());
    }

    private void warn(Declarer declarer, Map<String, String> messages) {
        Event.Regarding regarding = messages.isEmpty() ? warned.remove(declarer) : warned.get(declarer);
        if (regarding != null) {
            warnings.report("topology", regarding, messages);
        }
    }

    /** Empty if it is gone, or about to go: then nothing of it is missed. */
    private Optional<Target> target(Declarer declarer) {
        return switch (declarer.level()) {
            case CLUSTER -> caches.clusters().get(declarer.key())
                    .filter(cluster -> !cluster.metadata().deleting())
                    .map(cluster -> target(declarer, cluster, cluster.conditions()));
            case MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET ->
                    caches.bearers(declarer.level()).get(declarer.key())
                            .filter(bearer -> !bearer.metadata().deleting())
                            .map(bearer -> target(declarer, bearer, bearer.conditions()));
            case CONTROL_PLANE, MACHINE -> Optional.empty();
        };
    }

    private Target target(Declarer declarer, KubernetesObject object, List<Condition> said) {
        return Target.of(management.version(), declarer.level().kind(), declarer.level().plural(), object, said);
    }
}
