package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    private final StatusCondition condition;
    /** About what objects declare. */
    private final ReportedEvents<K> events;
    /** About the last write, which was refused or held back: what a plan reports must not take their place. */
    private final ReportedEvents<K> writeEvents;

    /**
     * @param object of a key
     * @param source tells reporters of one object apart, for example {@code machine}
     * @param fieldManager of the conditions
     */
    public ObjectStatus(
            Function<K, ObjectId> object,
            String source,
            String fieldManager,
            StatusCondition condition,
            EventRecorder events) {
        this.object = object;
        this.fieldManager = fieldManager;
        this.condition = condition;
        this.events = new ReportedEvents<>(source, events);
        this.writeEvents = new ReportedEvents<>(source + " write", events);
    }

    @Override
    public void forget(K key) {
        condition.forget(object.apply(key));
        events.end(key);
        writeEvents.end(key);
    }

    @Override
    public void unknown(K key) {
        condition.startOver(object.apply(key));
    }

    @Override
    public Duration waiting(K key, Target owner, String reason) {
        return condition.waiting(owner, reason, fieldManager);
    }

    @Override
    public Duration blocked(K key, Target owner, Blocked by, boolean event) {
        if (event) {
            events.report(key, owner.regarding(), Map.of(by.reason(), by.message()));
        }
        return condition(owner, Optional.of(by));
    }

    @Override
    public void planned(K key, Target owner, List<Finding> findings) {
        events.report(key, owner.regarding(), messages(findings));
    }

    private static Map<String, String> messages(List<Finding> findings) {
        return findings.stream().collect(Collectors.groupingBy(
                Finding::reason, TreeMap::new, Collectors.mapping(Finding::message, Collectors.joining("; "))));
    }

    @Override
    public void written(K key) {
        writeEvents.end(key);
    }

    @Override
    public Duration notWritten(K key, Target owner, Blocked by, boolean certain) {
        if (certain) {
            reportWrite(key, owner, by);
        }
        Duration left = condition(owner, Optional.of(by));
        if (!certain && left.isZero() && !owner.deleting()) {
            reportWrite(key, owner, by);
        }
        return left;
    }

    @Override
    public Optional<Backoff> afterRefusal() {
        return condition.afterRefusal();
    }

    @Override
    public Duration heldBack(K key, Target owner, Blocked by) {
        return notWritten(key, owner, by, true);
    }

    private void reportWrite(K key, Target owner, Blocked by) {
        writeEvents.report(key, owner.regarding(), Map.of(by.reason(), by.message()));
    }

    @Override
    public void failed(K key) {}

    @Override
    public Duration inEffect(K key, Target owner, List<Finding> findings, Optional<Awaited> awaited) {
        if (awaited.isPresent()) {
            throw new IllegalArgumentException("nothing is awaited of members of " + key + ": " + awaited.get());
        }
        return condition(owner, Blocked.byLeftOut(findings));
    }

    @Override
    public Duration summarize(K key, Target owner, Set<String> members) {
        throw new IllegalArgumentException(key + " has no members: " + members);
    }

    private Duration condition(Target owner, Optional<Blocked> by) {
        return condition.report(owner, by, fieldManager);
    }
}
