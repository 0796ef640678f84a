package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The condition that a controller keeps on its objects. On kinds that are not our own it is {@value #TYPE}, or another of
 * that meaning: on an object that has been blocked for a while, and gone when it is not any more, so that success costs no
 * request. On a kind of our own it is {@value Condition#READY}: whether what the spec declares is in effect, for the
 * generation of the spec that it names. Until a newer spec is decided on, the condition names an older generation, and
 * {@code kubectl wait} does not take it for an answer. Where a method returns a duration, it is to be called again after
 * it, should nothing change; zero if there is nothing to wait for.
 */
public sealed class Conditions {
    /** True on what is blocked, else absent. */
    public static final String TYPE = Condition.PREFIX + "Blocked";

    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);

    final ConditionWriter writer;
    private final Duration after;
    private final InstantSource clock;
    private final LongSupplier ticker;
    /**
     * Since when something is waited for on a kind of our own, which often comes at once, as after a restart; on others,
     * since when they are blocked. Not by the clock, which somebody may set.
     */
    private final Map<ObjectId, Since> since = new ConcurrentHashMap<>();
    /** When an object was last written to. */
    private final Map<ObjectId, Long> written = new ConcurrentHashMap<>();

    /** @param uid of another object of the same name it has not been so */
    private record Since(String uid, long nanos) {}

    /**
     * @param after how long something must be blocked before it is written
     * @param ticker nanoseconds since any one moment
     * @param writes false: only log
     */
    public Conditions(ApiServer server, Duration after, InstantSource clock, LongSupplier ticker, boolean writes) {
        this(new ConditionWriter(TYPE, server, writes, Optional.empty()), after, clock, ticker);
    }

    private Conditions(ConditionWriter writer, Duration after, InstantSource clock, LongSupplier ticker) {
        this.writer = writer;
        this.after = after;
        this.clock = clock;
        this.ticker = ticker;
    }

    /** Others of this type: two controllers that report on one object would take each other's condition for their own. */
    public Conditions named(String other) {
        return new Conditions(writer.of(other, Optional.empty()), after, clock, ticker);
    }

    /** For a kind of our own, which reports success too, and these parts of the status. */
    public Conditions ready(StatusParts parts) {
        return new Ready(this, parts);
    }

    /** Forgets what has been written, here and by all that were made of this: the server has been restored from a backup. */
    public void restored() {
        writer.restored();
    }

    /** How long something must be blocked before it is written. */
    public Duration after() {
        return after;
    }

    /** Whether the target, which is blocked now, has been for that long, be it written yet or not. */
    public boolean hasLasted(Target target) {
        return writer.present(target).isPresent() || !left(target).isPositive();
    }

    /** Reports what blocks the target now, or that nothing does. One that is being deleted is not missed. */
    public Duration report(Target target, Optional<Blocked> by, String fieldManager) {
        if (by.isEmpty() || target.deleting()) {
            startOver(ObjectId.of(target));
            return say(target, Optional.empty(), fieldManager);
        }
        return lasting(target, writer.present(target).isPresent(), Condition.TRUE, by.get(), fieldManager);
    }

    /**
     * It is not known whether anything blocks the target: something must happen first.
     *
     * @param reason what is waited for
     */
    public Duration waiting(Target target, String reason, String fieldManager) {
        startOver(ObjectId.of(target));
        return Duration.ZERO;
    }

    /** Says once it has lasted what is not said yet. */
    final Duration lasting(Target target, boolean said, String status, Blocked text, String fieldManager) {
        Duration left = said ? Duration.ZERO : left(target);
        return left.isPositive() ? left : say(target, Optional.of(condition(target, status, text)), fieldManager);
    }

    /** How long until it has lasted, at most zero if it has. */
    private Duration left(Target target) {
        String uid = target.regarding().uid();
        long now = ticker.getAsLong();
        Since first = since.compute(ObjectId.of(target),
                (id, before) -> before != null && before.uid.equals(uid) ? before : new Since(uid, now));
        return after.minusNanos(now - first.nanos);
    }

    final Condition condition(Target target, String status, Blocked text) {
        Instant changed = writer.present(target).filter(present -> present.status().equals(status))
                .map(Condition::since).orElseGet(this::now);
        return new Condition(writer.type(), status, text.reason(), text.message(), changed, target.generation());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** @param condition empty to take it away */
    final Duration say(Target target, Optional<Condition> condition, String fieldManager) {
        OwnStatus present = writer.status(target);
        OwnStatus wanted = wanted(target, present, condition);
        if (isSaid(target, condition, wanted.equals(present))) {
            return Duration.ZERO;
        }
        boolean canWait =
                !writer.isUnconfirmed(target) && wanted.canWait(present, writer.type(), writer.parts());
        Duration left = canWait ? pause(ObjectId.of(target)) : writer.untilNewer(target);
        if (left.isPositive()) {
            return left;
        }
        log(target, condition, LOG.atLevel(canWait ? Level.DEBUG : Level.INFO)
                .addKeyValue(target.regarding().kind(), target.regarding().key()));
        written.put(ObjectId.of(target), ticker.getAsLong());
        return writer.apply(target, wanted, fieldManager);
    }

    private OwnStatus wanted(Target target, OwnStatus present, Optional<Condition> condition) {
        target.details().ifPresent(writer.parts()::check);
        return condition.map(one -> target.details().map(details -> present.with(one, details, now()))
                .orElseGet(() -> present.with(one))).orElse(OwnStatus.NONE);
    }

    /** @param shown whether the object shows what is wanted, as far as is known */
    boolean isSaid(Target target, Optional<Condition> condition, boolean shown) {
        return shown && (condition.isPresent() || !writer.isUnconfirmed(target));
    }

    void log(Target target, Optional<Condition> condition, LoggingEventBuilder line) {
        line.log(condition.map(blocked -> "blocked: " + blocked.message()).orElse("not blocked any more"));
    }

    /** How long the object is not written to for what can wait, since it was last written to. */
    private Duration pause(ObjectId id) {
        Long last = written.get(id);
        return last == null ? Duration.ZERO : writer.parts().pause().minusNanos(ticker.getAsLong() - last);
    }

    /** The pauses after which a refused write is tried again; empty if it waits for a change. */
    public Optional<Backoff> afterRefusal() {
        return Optional.empty();
    }

    boolean isOutdated(Target target) {
        return writer.untilNewer(target).isPositive();
    }

    /** It is not known any more whether the object is blocked; should it be, the time starts anew. */
    public void startOver(ObjectId object) {
        since.remove(object);
    }

    /** The object is gone. */
    public void forget(ObjectId object) {
        since.remove(object);
        written.remove(object);
        writer.forget(object);
    }

    /** On a kind of our own. */
    private static final class Ready extends Conditions {
        private static final Blocked IN_EFFECT = new Blocked(Reason.IN_EFFECT, "");

        Ready(Conditions others, StatusParts parts) {
            super(others.writer.of(Condition.READY, Optional.of(parts)), others.after, others.clock, others.ticker);
        }

        @Override
        public Duration report(Target target, Optional<Blocked> by, String fieldManager) {
            startOver(ObjectId.of(target));
            String status = by.isPresent() ? Condition.FALSE : Condition.TRUE;
            return say(target, Optional.of(condition(target, status, by.orElse(IN_EFFECT))), fieldManager);
        }

        @Override
        public Duration waiting(Target target, String reason, String fieldManager) {
            boolean said = writer.present(target).map(Condition::status).equals(Optional.of(Condition.UNKNOWN));
            Blocked waiting = new Blocked(Reason.WAITING, "waiting for " + reason);
            return lasting(target, said, Condition.UNKNOWN, waiting, fieldManager);
        }

        /** Nobody waits for the status of what is being deleted. */
        @Override
        boolean isSaid(Target target, Optional<Condition> condition, boolean shown) {
            return target.deleting() || shown && !writer.isUnconfirmed(target);
        }

        @Override
        void log(Target target, Optional<Condition> condition, LoggingEventBuilder line) {
            condition.ifPresent(ready -> line.addKeyValue("status", ready.status())
                    .addKeyValue("reason", ready.reason()).addKeyValue("generation", target.generation())
                    .log("{}", ready.message()));
        }

        /** Somebody waits for the condition, and what refuses the write may end without a change of this object. */
        @Override
        public Optional<Backoff> afterRefusal() {
            return Optional.of(Backoff.AFTER_REFUSAL);
        }
    }
}
