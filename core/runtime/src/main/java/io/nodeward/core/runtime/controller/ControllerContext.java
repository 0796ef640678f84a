package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.LastingStatus;
import io.nodeward.core.runtime.status.ObjectStatus;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.status.StatusParts;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import java.time.InstantSource;
import java.util.List;

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
    public ObjectStatus objectStatus(String kind, String controller) {
        return new ObjectStatus(kind, controller, fieldManager(controller), conditions, events);
    }

    /** For a controller whose keys are objects of its own kind: the condition Ready on each, in success as well. */
    public ObjectStatus readyStatus(CustomResourceDefinition definition, String controller) {
        return readyStatus(definition, controller, StatusParts.NONE);
    }

    /**
     * As above, of a kind whose status has more.
     *
     * @param parts that the {@link Target} of each decision gives, or leaves as they are
     */
    public ObjectStatus readyStatus(CustomResourceDefinition definition, String controller, StatusParts parts) {
        return new ObjectStatus(
                definition.kind(), controller, fieldManager(controller), conditions.ready(parts), events);
    }

    /**
     * As {@link #objectStatus}, on objects that another controller reports on too.
     *
     * @param condition its type: two that report by one would take each other's condition for their own
     */
    public ObjectStatus objectStatus(String kind, String controller, String condition) {
        return new ObjectStatus(kind, controller, fieldManager(controller), conditions.named(condition), events);
    }

    /**
     * For a controller whose keys are owners and their members.
     *
     * @param naming with the controller's name as its source
     * @param reasons gravest first
     */
    public <K> OwnerStatus<K> ownerStatus(OwnerStatus.Naming<K> naming, List<String> reasons) {
        return new OwnerStatus<>(naming, fieldManager(naming.source()), reasons, conditions, events, clock);
    }

    /**
     * For a controller whose keys are owners of several kinds and their members.
     *
     * @param naming with the controller's name as its source
     * @param condition its type, as that of {@link #objectStatus}
     */
    public <K extends Comparable<K>> LastingStatus<K> lastingStatus(LastingStatus.Naming<K> naming, String condition) {
        return new LastingStatus<>(naming, fieldManager(naming.source()), conditions.named(condition), events);
    }
}
