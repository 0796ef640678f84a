package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Finding;
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
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The status of owners of many members: for what somebody must fix one Event for each reason and one condition of the
 * owner, however many of its members it concerns. What members contribute is reported when the owner itself, which is a
 * key too, is summarized.
 *
 * @param <K> what work is queued by: members and owners
 */
public final class OwnerStatus<K> implements StatusReporter<K> {
    private final OwnerPolicy<K> policy;
    private final String fieldManager;
    private final Conditions conditions;
    private final ReportedEvents<K> events;
    private final InstantSource clock;
    private final Map<K, Contributions> owners = new ConcurrentHashMap<>();
    /** Owners that may have a condition. */
    private final Map<K, ObjectId> reported = new ConcurrentHashMap<>();
    /** Where what blocks a member was reported last. */
    private final Map<K, K> blocks = new ConcurrentHashMap<>();
    private volatile Consumer<K> changed = owner -> {};

    /** @param fieldManager of the conditions */
    public OwnerStatus(
            OwnerPolicy<K> policy,
            String fieldManager,
            Conditions conditions,
            EventRecorder events,
            InstantSource clock) {
        this.policy = policy;
        this.fieldManager = fieldManager;
        this.conditions = conditions;
        this.events = new ReportedEvents<>(events);
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
            case Outcome.Waiting waiting -> waiting(key);
            case Outcome.Planned(List<Finding> findings) ->
                    contribute(key, all -> !policy.onlyLasting() && all.find(member, findings));
            case Outcome.Stuck(Blocked by, boolean event) ->
                    member.isEmpty() ? blocked(key, target, by, event) : block(key, target, by, event);
            case Outcome.NotWritten(Blocked by, boolean certain) -> notWritten(key, target, by, certain);
            // The owner's own key waits for the condition.
            case Outcome.HeldBack(Blocked by) -> block(key, target, by, true);
            // The report about other members does not wait for this one.
            case Outcome.Failed failed -> contribute(key, all -> all.look(member));
            case Outcome.Restless restless -> Duration.ZERO;
            case Outcome.InEffect(List<Finding> findings, Optional<Awaited> awaited) ->
                    leftOut(findings).map(by -> block(key, target, by, false)).orElseGet(() -> free(key, awaited));
            case Outcome.Summary(Set<String> members) -> summarize(key, target, members);
        };
    }

    /** What blocks a member as well, unless it is reported as soon as it is planned. */
    private Optional<Blocked> leftOut(List<Finding> findings) {
        return policy.onlyLasting() ? Blocked.byLeftOut(findings) : Optional.empty();
    }

    @Override
    public void unknown(K key) {
        waiting(key);
    }

    private Duration waiting(K key) {
        if (policy.onlyLasting()) {
            return free(key, Optional.empty());
        }
        Optional.ofNullable(reported.get(key)).ifPresent(conditions::startOver);
        return Duration.ZERO;
    }

    @Override
    public void forget(K key) {
        String member = member(key);
        if (!member.isEmpty()) {
            contribute(key, all -> all.forget(member));
            blocks.remove(key);
        }
        if (owners.containsKey(key)) { // first: what a member reports meanwhile is found by the member
            blocks.values().removeIf(key::equals);
            owners.remove(key);
        }
        Optional.ofNullable(reported.remove(key)).ifPresent(conditions::forget);
        events.end(key);
    }

    private Duration blocked(K owner, Target target, Blocked by, boolean event) {
        reported.put(owner, ObjectId.of(target));
        events.report(owner, target.regarding(), event ? Map.of(by.reason(), by.message()) : Map.of());
        return conditions.report(target, Optional.of(by), fieldManager);
    }

    /** Of a member, which leaves the owner that it had. */
    private Duration block(K key, Target target, Blocked by, boolean certain) {
        K owner = policy.owner().apply(key, Optional.of(target)).orElseThrow();
        K before = blocks.getOrDefault(key, owner);
        if (!before.equals(owner)) {
            contribute(key, all -> all.free(member(key)));
        }
        blocks.put(key, owner);
        var note = new Contributions.Note(policy.name().apply(key), by, certain && !policy.onlyLasting());
        return contribute(key, all -> all.block(member(key), note));
    }

    private Duration free(K key, Optional<Awaited> awaited) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        contribute(key, all -> all.free(member(key)) | all.await(member(key), awaited, now));
        blocks.remove(key);
        return Duration.ZERO;
    }

    /** Returns zero also if a condition reports it already. */
    private Duration notWritten(K key, Target target, Blocked by, boolean certain) {
        if (policy.onlyLasting()) {
            return block(key, target, by, certain);
        }
        if (certain && owner(key).filter(owner -> contributions(owner).isBlocked(member(key), by)).isPresent()) {
            return Duration.ZERO;
        }
        block(key, target, by, certain);
        return conditions.after();
    }

    private Duration summarize(K owner, Target target, Set<String> members) {
        reported.put(owner, ObjectId.of(target));
        Contributions all = contributions(owner);
        if (!all.areKnown(members)) {
            return Duration.ZERO; // a former run may have reported what still holds
        }
        Instant now = clock.instant();
        Instant late = now.minus(conditions.after());
        Optional<Blocked> worst = all.worst().or(() -> all.awaited(late));
        Optional<Duration> next = all.untilNext(late);
        if (worst.isEmpty() && next.isPresent() && all.isAwaitedIn(target.conditions())) {
            return next.get(); // until then the report of a former run may still hold
        }
        Optional<Blocked> blocked = all.condition().of(worst, now);
        Duration left = conditions.report(target, blocked, fieldManager);
        boolean lasting = blocked.isPresent() && !target.deleting() && conditions.hasLasted(target);
        events.report(owner, target.regarding(), all.messages(lasting));
        return Stream.of(left, all.condition().left(worst, now), next.orElse(Duration.ZERO))
                .filter(Duration::isPositive).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    private Duration contribute(K key, Predicate<Contributions> change) {
        owner(key).filter(owner -> change.test(contributions(owner))).ifPresent(changed);
        return Duration.ZERO;
    }

    private Contributions contributions(K owner) {
        return owners.computeIfAbsent(owner, any -> new Contributions(policy, conditions.after()));
    }

    /** Empty if it is not known, and nothing is reported of the key. */
    private Optional<K> owner(K key) {
        return policy.owner().apply(key, Optional.empty()).or(() -> Optional.ofNullable(blocks.get(key)));
    }

    private String member(K key) {
        return policy.member().apply(key);
    }
}
