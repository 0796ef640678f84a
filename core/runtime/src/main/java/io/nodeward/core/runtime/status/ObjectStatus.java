package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The status of objects that each are one key of the queue and have no members. */
public final class ObjectStatus implements StatusReporter<ObjectKey> {
    private final String kind;
    private final String fieldManager;
    private final StatusCondition condition;
    /** About what objects declare. */
    private final ReportedEvents<ObjectKey> events;
    /** About the last write, which was refused or held back: what a plan reports must not take their place. */
    private final ReportedEvents<ObjectKey> writeEvents;

    /**
     * @param kind of the objects
     * @param source tells reporters of one object apart, for example {@code machine}
     * @param fieldManager of the conditions
     */
    public ObjectStatus(
            String kind, String source, String fieldManager, StatusCondition condition, EventRecorder events) {
        this.kind = kind;
        this.fieldManager = fieldManager;
        this.condition = condition;
        this.events = new ReportedEvents<>(source, events);
        this.writeEvents = new ReportedEvents<>(source + " write", events);
    }

    @Override
    public void forget(ObjectKey key) {
        condition.forget(kind, key);
        events.end(key);
        writeEvents.end(key);
    }

    @Override
    public void unknown(ObjectKey key) {
        condition.startOver(kind, key);
    }

    @Override
    public Duration waiting(ObjectKey key, Target owner, String reason) {
        return condition.waiting(owner, reason, fieldManager);
    }

    @Override
    public Duration blocked(ObjectKey key, Target owner, Blocked by, boolean event) {
        if (event) {
            events.report(key, owner.regarding(), Map.of(by.reason(), by.message()));
        }
        return condition(owner, Optional.of(by));
    }

    @Override
    public void planned(ObjectKey key, Target owner, List<Finding> findings) {
        events.report(key, owner.regarding(), Finding.messages(findings));
    }

    @Override
    public void written(ObjectKey key) {
        writeEvents.end(key);
    }

    @Override
    public Duration notWritten(ObjectKey key, Target owner, Blocked by, boolean certain) {
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
    public Duration heldBack(ObjectKey key, Target owner, Blocked by) {
        return notWritten(key, owner, by, true);
    }

    private void reportWrite(ObjectKey key, Target owner, Blocked by) {
        writeEvents.report(key, owner.regarding(), Map.of(by.reason(), by.message()));
    }

    @Override
    public void failed(ObjectKey key) {}

    @Override
    public Duration inEffect(ObjectKey key, Target owner, List<Finding> findings, Optional<Awaited> awaited) {
        if (awaited.isPresent()) {
            throw new IllegalArgumentException("nothing is awaited of members of " + key + ": " + awaited.get());
        }
        return condition(owner, Finding.leftOut(findings));
    }

    @Override
    public Duration summarize(ObjectKey key, Target owner, Set<String> members) {
        throw new IllegalArgumentException(key + " has no members: " + members);
    }

    private Duration condition(Target owner, Optional<Blocked> by) {
        return condition.report(owner, by, fieldManager);
    }
}
