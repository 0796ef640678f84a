package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.OwnerPolicy;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.status.StatusParts;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * What all controllers of a process share.
 *
 * @param writer sends the changes that they decide on
 * @param watchFilter value of the watch-filter label of the objects that the process looks after; empty for all
 * @param dryRun whether nothing is written; the writer, conditions and Events know that already
 */
public record ControllerContext(
        ObjectWriter writer,
        Conditions conditions,
        EventRecorder events,
        InstantSource clock,
        Timers timers,
        MeterRegistry registry,
        String watchFilter,
        boolean dryRun) {

    /** The name under which API servers list what a controller has written. */
    public static String fieldManager(String controller) {
        return "nodeward-" + controller;
    }

    /** For a controller whose keys are objects of a kind that is not our own: a condition only on those that are blocked. */
    public ObjectStatus<ObjectKey> objectStatus(String kind, String controller) {
        return objectStatus(key -> new ObjectId(kind, key), controller, Conditions.TYPE);
    }

    /** For a controller whose keys are objects of its own kind: the condition Ready on each, in success as well. */
    public ObjectStatus<ObjectKey> readyStatus(CustomResourceDefinition definition, String controller) {
        return readyStatus(definition, controller, StatusParts.NONE);
    }

    /**
     * As above, of a kind whose status has more.
     *
     * @param parts that the {@link Target} of each decision gives, or leaves as they are
     */
    public ObjectStatus<ObjectKey> readyStatus(
            CustomResourceDefinition definition, String controller, StatusParts parts) {
        return new ObjectStatus<>(key -> new ObjectId(definition.kind(), key), fieldManager(controller),
                conditions.ready(parts), events);
    }

    /**
     * As {@link #objectStatus}, on objects of several kinds that another controller reports on too.
     *
     * @param object of a key
     * @param condition its type: two that report by one would take each other's condition for their own
     */
    public <K> ObjectStatus<K> objectStatus(Function<K, ObjectId> object, String controller, String condition) {
        return new ObjectStatus<>(object, fieldManager(controller), conditions.named(condition), events);
    }

    /**
     * For a controller whose keys are owners and their members.
     *
     * @param policy with the controller's name
     */
    public <K> OwnerStatus<K> ownerStatus(OwnerPolicy<K> policy) {
        return ownerStatus(policy, Conditions.TYPE);
    }

    /**
     * As above, of objects that another controller reports on too.
     *
     * @param condition its type, as that of {@link #objectStatus}
     */
    public <K> OwnerStatus<K> ownerStatus(OwnerPolicy<K> policy, String condition) {
        return new OwnerStatus<>(
                policy, fieldManager(policy.controller()), conditions.named(condition), events, clock);
    }
}
