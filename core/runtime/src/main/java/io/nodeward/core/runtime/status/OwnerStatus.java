package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The status of owners of many members: for what somebody must fix one Event for each reason and one condition of the
 * owner, however many of its members it concerns. What members contribute is reported when the owner itself, which is a
 * key too, is summarized. It is not {@link LastingStatus}, as here a key names its owner and all members of an owner are
 * known: it waits until each has been looked at, and reports at once what is certain of any.
 *
 * @param <K> what work is queued by: members and owners
 */
public final class OwnerStatus<K> implements StatusReporter<K> {
    private final Naming<K> naming;
    private final String fieldManager;
    private final List<String> reasons;
    private final Conditions conditions;
    private final ReportedEvents<ObjectKey> events;
    private final InstantSource clock;
    private final Map<ObjectKey, Known> owners = new ConcurrentHashMap<>();
    private volatile Consumer<K> changed = owner -> {};

    private record Known(Contributions contributions, Debounce condition) {}

    /**
     * What keys stand for.
     *
     * @param kind of the owners
     * @param source tells reporters of one object apart, for example {@code machinepool}
     * @param owner of a key
     * @param member name of the key's member; empty for the owner itself
     * @param itself the key of an owner
     */
    public record Naming<K>(
            String kind,
            String source,
            Function<K, ObjectKey> owner,
            Function<K, String> member,
            Function<ObjectKey, K> itself) {}

    /**
     * @param fieldManager of the conditions
     * @param reasons gravest first: which one a condition shows must not depend on which member comes first
     */
    public OwnerStatus(
            Naming<K> naming,
            String fieldManager,
            List<String> reasons,
            Conditions conditions,
            EventRecorder events,
            InstantSource clock) {
        this.naming = naming;
        this.fieldManager = fieldManager;
        this.reasons = List.copyOf(reasons);
        this.conditions = conditions;
        this.events = new ReportedEvents<>(naming.source, events);
        this.clock = clock;
    }

    @Override
    public void whenChanged(Consumer<K> listener) {
        changed = listener;
    }

    @Override
    public Duration report(K key, Target target, Outcome outcome) {
        String member = member(key);
        return switch (outcome) {
            case Outcome.Waiting waiting -> {
                unknown(key);
                yield Duration.ZERO;
            }
            case Outcome.Planned(List<Finding> findings) -> contribute(key, all -> all.find(member, findings));
            case Outcome.Blocked(Blocked by, boolean event) -> blocked(key, target, by, event);
            case Outcome.NotWritten(Blocked by, boolean certain) -> notWritten(key, by, certain);
            // The owner's own key waits for the condition.
            case Outcome.HeldBack(Blocked by) -> contribute(key, all -> all.block(member, by, true));
            // The report about other members does not wait for this one.
            case Outcome.Failed failed -> contribute(key, all -> all.look(member));
            case Outcome.Restless restless -> Duration.ZERO;
            case Outcome.InEffect inEffect -> {
                Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
                yield contribute(key, all -> all.free(member) | all.await(member, inEffect.awaited(), now));
            }
            case Outcome.Summary(Set<String> members) -> summarize(key, target, members);
        };
    }

    @Override
    public void unknown(K key) {
        if (isOwner(key)) {
            conditions.startOver(new ObjectId(naming.kind, owner(key)));
        }
    }

    @Override
    public void forget(K key) {
        if (!isOwner(key)) {
            contribute(key, all -> all.forget(member(key)));
            return;
        }
        ObjectKey owner = owner(key);
        owners.remove(owner);
        conditions.forget(new ObjectId(naming.kind, owner));
        events.end(owner);
    }

    private Duration blocked(K key, Target target, Blocked by, boolean event) {
        if (!isOwner(key)) {
            return contribute(key, all -> all.block(member(key), by, event));
        }
        events.report(owner(key), target.regarding(), event ? Map.of(by.reason(), by.message()) : Map.of());
        return conditions.report(target, Optional.of(by), fieldManager);
    }

    /** Returns zero also if a condition reports it already. */
    private Duration notWritten(K key, Blocked by, boolean certain) {
        if (certain && known(owner(key)).contributions.isBlocked(member(key), by)) {
            return Duration.ZERO;
        }
        contribute(key, all -> all.block(member(key), by, certain));
        return conditions.after();
    }

    private Duration summarize(K key, Target target, Set<String> members) {
        Known known = known(owner(key));
        if (!known.contributions.haveSeen(members)) {
            return Duration.ZERO; // a former run may have reported what still holds
        }
        known.contributions.retain(members);
        Instant now = clock.instant();
        Instant late = now.minus(conditions.after());
        Optional<Blocked> worst = known.contributions.worst().or(() -> known.contributions.awaited(late));
        Optional<Duration> next = known.contributions.untilNext(late);
        if (worst.isEmpty() && next.isPresent() && saysAwaited(target, known.contributions)) {
            return next.get(); // until then the report of a former run may still hold
        }
        Optional<Blocked> blocked = known.condition.of(worst, now);
        Duration left = conditions.report(target, blocked, fieldManager);
        boolean lasting = blocked.isPresent() && left.isZero() && !target.deleting();
        events.report(owner(key), target.regarding(), known.contributions.messages(lasting));
        return Stream.of(left, known.condition.left(worst, now), next.orElse(Duration.ZERO))
                .filter(Duration::isPositive).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private static boolean saysAwaited(Target target, Contributions contributions) {
        return target.conditions().stream().anyMatch(condition -> contributions.isAwaited(condition.reason()));
    }

    private Duration contribute(K key, Predicate<Contributions> change) {
        if (change.test(known(owner(key)).contributions)) {
            changed.accept(naming.itself.apply(owner(key)));
        }
        return Duration.ZERO;
    }

    private Known known(ObjectKey owner) {
        return owners.computeIfAbsent(
                owner, key -> new Known(new Contributions(reasons), new Debounce(conditions.after())));
    }

    private boolean isOwner(K key) {
        return member(key).isEmpty();
    }

    private ObjectKey owner(K key) {
        return naming.owner.apply(key);
    }

    private String member(K key) {
        return naming.member.apply(key);
    }
}
