package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The status of owners of several kinds, whose members may change the owner: for what blocks members, if it lasts, one
 * Event for each reason and one condition of the owner. Beside another controller that writes to the same objects a member
 * is often blocked for as long as that needs, so nothing is reported at once. An owner is a key too, which reports. It is
 * not {@link OwnerStatus}, as here a member may get another owner, and nobody knows all members of one: it has nothing to
 * wait for but time.
 *
 * @param <K> what work is queued by: members and owners, in the order in which messages name them
 */
public final class LastingStatus<K extends Comparable<K>> implements StatusReporter<K> {
    private final Naming<K> naming;
    private final String fieldManager;
    private final Conditions conditions;
    private final ReportedEvents<K> events;
    private final BlockedMembers<K> blocked;
    /** Owners of which anything was reported, to forget it when they are gone. */
    private final Map<K, Event.Regarding> owners = new ConcurrentHashMap<>();
    private volatile Consumer<K> changed = owner -> {};

    /**
     * What keys stand for.
     *
     * @param source tells reporters of one object apart, for example {@code topology}
     * @param owner the key that reports the status of an owner
     * @param member name of a key's object, with its kind
     */
    public record Naming<K>(String source, Function<Target, K> owner, Function<K, String> member, Text text) {}

    /** The text of messages. */
    @FunctionalInterface
    public interface Text {
        /**
         * @param members names of the first
         * @param others whether there are more
         * @param first what blocks the first
         */
        String of(List<String> members, boolean others, String first);
    }

    /** @param fieldManager of the conditions */
    public LastingStatus(Naming<K> naming, String fieldManager, Conditions conditions, EventRecorder events) {
        this.naming = naming;
        this.fieldManager = fieldManager;
        this.conditions = conditions;
        this.events = new ReportedEvents<>(naming.source, events);
        this.blocked = new BlockedMembers<>(naming.text);
    }

    @Override
    public void whenChanged(Consumer<K> listener) {
        changed = listener;
    }

    @Override
    public Duration report(K key, Target target, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Waiting waiting -> ended(key);
            case Outcome.Planned planned -> Duration.ZERO;
            case Outcome.NotInEffect reported -> blocked(key, target, reported.by());
            case Outcome.Failed failed -> Duration.ZERO;
            case Outcome.Restless restless -> Duration.ZERO;
            // What was left out blocks the member as well.
            case Outcome.InEffect inEffect ->
                    Blocked.byLeftOut(inEffect.findings()).map(by -> blocked(key, target, by))
                            .orElseGet(() -> ended(key));
            case Outcome.Summary summary -> summarize(key, target);
        };
    }

    @Override
    public void unknown(K key) {
        ended(key);
    }

    private Duration ended(K key) {
        blocked.remove(key).forEach(changed);
        return Duration.ZERO;
    }

    @Override
    public void forget(K key) {
        unknown(key);
        blocked.forgetOwner(key);
        Event.Regarding owner = owners.remove(key);
        if (owner != null) {
            conditions.forget(new ObjectId(owner.kind(), owner.key()));
        }
        events.end(key);
    }

    private Duration blocked(K key, Target owner, Blocked by) {
        blocked.put(key, new BlockedMembers.Member<>(naming.owner.apply(owner), naming.member.apply(key), by))
                .forEach(changed);
        return Duration.ZERO;
    }

    private Duration summarize(K key, Target owner) {
        owners.put(key, owner.regarding());
        Map<String, String> messages = blocked.messages(key);
        Duration left = conditions.report(owner, blocked.worst(key), fieldManager);
        events.report(key, owner.regarding(), left.isZero() ? messages : Map.of());
        return left;
    }
}
