package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The status of objects that each are one key of the queue and have no members. */
public final class ObjectStatus implements StatusReporter<ObjectKey> {
    private final String kind;
    private final String source;
    private final String fieldManager;
    private final StatusCondition condition;
    private final EventRecorder events;
    /** Objects with Events about what they declare, to forget those when the objects are gone. */
    private final Map<ObjectKey, Event.Regarding> reported = new ConcurrentHashMap<>();
    /** Objects whose last write was refused or held back, likewise. */
    private final Map<ObjectKey, Event.Regarding> refused = new ConcurrentHashMap<>();

    /**
     * @param kind of the objects
     * @param source tells reporters of one object apart, for example {@code machine}
     * @param fieldManager of the conditions
     */
    public ObjectStatus(
            String kind, String source, String fieldManager, StatusCondition condition, EventRecorder events) {
        this.kind = kind;
        this.source = source;
        this.fieldManager = fieldManager;
        this.condition = condition;
        this.events = events;
    }

    @Override
    public void forget(ObjectKey key) {
        condition.forget(kind, key);
        Event.Regarding regarding = reported.remove(key);
        if (regarding != null) {
            events.report(source, regarding, Map.of());
        }
        written(key);
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
            report(owner, Map.of(by.reason(), by.message()));
        }
        return condition(owner, Optional.of(by));
    }

    @Override
    public void planned(ObjectKey key, Target owner, List<Finding> findings) {
        if (!findings.isEmpty() || reported.containsKey(key)) {
            report(owner, Finding.messages(findings));
        }
    }

    private void report(Target owner, Map<String, String> messages) {
        Event.Regarding regarding = owner.regarding();
        if (messages.isEmpty()) {
            reported.remove(regarding.key());
        } else {
            reported.put(regarding.key(), regarding);
        }
        events.report(source, regarding, messages);
    }

    @Override
    public void written(ObjectKey key) {
        Event.Regarding regarding = refused.remove(key);
        if (regarding != null) {
            events.report(writes(), regarding, Map.of());
        }
    }

    @Override
    public Duration notWritten(ObjectKey key, Target owner, Blocked by, boolean certain) {
        if (certain) {
            reportWrite(owner, by);
        }
        Duration left = condition(owner, Optional.of(by));
        if (!certain && left.isZero() && !owner.deleting()) {
            reportWrite(owner, by);
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

    private void reportWrite(Target owner, Blocked by) {
        refused.put(owner.regarding().key(), owner.regarding());
        events.report(writes(), owner.regarding(), Map.of(by.reason(), by.message()));
    }

    /** What a plan reports must not take the place of what was refused. */
    private String writes() {
        return source + " write";
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
