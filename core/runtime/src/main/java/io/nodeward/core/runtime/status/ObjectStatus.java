package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The status of objects that each are one key of the queue and have no members.
 *
 * @param <K> what work is queued by
 */
public final class ObjectStatus<K> implements StatusReporter<K> {
    private final Function<K, ObjectId> object;
    private final String fieldManager;
    private final Conditions condition;
    /** About what objects declare. */
    private final ReportedEvents<K> events;
    /** About the last write, which was refused or held back: what a plan reports must not take their place. */
    private final ReportedEvents<K> writeEvents;

    /**
     * @param object of a key
     * @param fieldManager of the conditions
     */
    public ObjectStatus(
            Function<K, ObjectId> object,
            String fieldManager,
            Conditions condition,
            EventRecorder events) {
        this.object = object;
        this.fieldManager = fieldManager;
        this.condition = condition;
        this.events = new ReportedEvents<>(events);
        this.writeEvents = new ReportedEvents<>(events);
    }

    @Override
    public Duration report(K key, Target target, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Waiting(String reason) -> condition.waiting(target, reason, fieldManager);
            case Outcome.Planned(List<Finding> findings) -> planned(key, target, findings);
            case Outcome.Stuck(Blocked by, boolean event) -> blocked(key, target, by, event);
            case Outcome.NotWritten(Blocked by, boolean certain) -> notWritten(key, target, by, certain);
            case Outcome.HeldBack(Blocked by) -> notWritten(key, target, by, true);
            case Outcome.Failed failed -> Duration.ZERO;
            case Outcome.Restless restless -> written(key);
            case Outcome.InEffect(List<Finding> findings, Optional<Awaited> awaited) -> {
                awaited.ifPresent(what -> refuse(key, what));
                written(key);
                yield condition.report(target, Blocked.byLeftOut(findings), fieldManager);
            }
            case Outcome.Summary summary -> refuse(key, summary);
        };
    }

    @Override
    public void unknown(K key) {
        condition.startOver(object.apply(key));
    }

    @Override
    public void forget(K key) {
        condition.forget(object.apply(key));
        events.end(key);
        writeEvents.end(key);
    }

    @Override
    public boolean isOutdated(Target target) {
        return condition.isOutdated(target);
    }

    @Override
    public Optional<Backoff> afterRefusal() {
        return condition.afterRefusal();
    }

    /** How many objects have Events about what keeps them from being written. */
    public int size() {
        return writeEvents.size();
    }

    private Duration planned(K key, Target target, List<Finding> findings) {
        events.report(key, target.regarding(), findings.stream().collect(Collectors.groupingBy(
                Finding::reason, TreeMap::new, Collectors.mapping(Finding::message, Collectors.joining("; ")))));
        return Duration.ZERO;
    }

    private Duration blocked(K key, Target target, Blocked by, boolean event) {
        if (event) {
            events.report(key, target.regarding(), Map.of(by.reason(), by.message()));
        }
        return condition.report(target, Optional.of(by), fieldManager);
    }

    /** Whatever kept it from being written is over. */
    private Duration written(K key) {
        writeEvents.end(key);
        return Duration.ZERO;
    }

    private Duration notWritten(K key, Target target, Blocked by, boolean certain) {
        if (certain) {
            reportWrite(key, target, by);
        }
        Duration left = condition.report(target, Optional.of(by), fieldManager);
        if (!certain && !target.deleting() && condition.hasLasted(target)) {
            reportWrite(key, target, by);
        }
        return left;
    }

    private void reportWrite(K key, Target target, Blocked by) {
        writeEvents.report(key, target.regarding(), Map.of(by.reason(), by.message()));
    }

    private static Duration refuse(Object key, Object ofMembers) {
        throw new IllegalArgumentException(key + " has no members: " + ofMembers);
    }
}
