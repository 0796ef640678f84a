package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import io.nodeward.core.runtime.time.Backoff;
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

/**
 * The condition {@value Condition#READY} of a kind of our own: whether what the spec declares is in effect, for the
 * generation of the spec that it names. Until a newer spec is decided on, the condition names an older generation, and
 * {@code kubectl wait} does not take it for an answer.
 */
final class ReadyCondition implements StatusCondition {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyCondition.class);
    private static final String IN_EFFECT = "InEffect";
    private static final String WAITING = "Waiting";

    private final ConditionWriter writer;
    private final StatusParts parts;
    private final Lasting waiting;
    private final InstantSource clock;
    private final LongSupplier ticker;
    /** When an object was last written to. */
    private final Map<ObjectId, Long> written = new ConcurrentHashMap<>();

    /**
     * Needs nothing but what is given.
     *
     * @param parts of the status besides the condition
     * @param waiting what is waited for often comes at once, as after a restart: it is not reported before it has lasted
     * @param ticker nanoseconds since any one moment
     */
    ReadyCondition(
            ConditionWriter writer, StatusParts parts, Lasting waiting, InstantSource clock, LongSupplier ticker) {
        this.writer = writer;
        this.parts = parts;
        this.waiting = waiting;
        this.clock = clock;
        this.ticker = ticker;
    }

    @Override
    public Duration report(Target target, Optional<Blocked> by, String fieldManager) {
        waiting.end(ObjectId.of(target));
        return by.map(blocked -> say(target, Condition.FALSE, blocked, fieldManager))
                .orElseGet(() -> say(target, Condition.TRUE, new Blocked(IN_EFFECT, ""), fieldManager));
    }

    @Override
    public Duration waiting(Target target, String reason, String fieldManager) {
        boolean reported = writer.present(target).map(Condition::status).equals(Optional.of(Condition.UNKNOWN));
        Duration left = reported ? Duration.ZERO : waiting.left(target);
        return left.isPositive()
                ? left
                : say(target, Condition.UNKNOWN, new Blocked(WAITING, "waiting for " + reason), fieldManager);
    }

    /** Nobody waits for the status of an object that is being deleted. */
    private Duration say(Target target, String status, Blocked text, String fieldManager) {
        OwnStatus present = writer.status(target);
        OwnStatus wanted = wanted(target, present, status, text);
        boolean confirmed = !writer.isUnconfirmed(target);
        if (target.deleting() || confirmed && wanted.equals(present)) {
            return Duration.ZERO;
        }
        ObjectId id = ObjectId.of(target);
        boolean canWait = confirmed && wanted.canWait(present, writer.type(), parts);
        Duration left = canWait ? pause(id) : writer.untilNewer(target);
        if (left.isPositive()) {
            return left;
        }
        LOG.atLevel(canWait ? Level.DEBUG : Level.INFO)
                .addKeyValue(target.regarding().kind(), target.regarding().key()).addKeyValue("status", status)
                .addKeyValue("reason", text.reason()).addKeyValue("generation", target.generation())
                .log("{}", text.message());
        written.put(id, ticker.getAsLong());
        return writer.apply(target, wanted, fieldManager);
    }

    /** How long the object is not written to for what can wait, since it was last written to. */
    private Duration pause(ObjectId id) {
        Long last = written.get(id);
        return last == null ? Duration.ZERO : parts.pause().minusNanos(ticker.getAsLong() - last);
    }

    private OwnStatus wanted(Target target, OwnStatus present, String status, Blocked text) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Instant since = present.condition(writer.type()).filter(condition -> condition.status().equals(status))
                .map(Condition::since).orElse(now);
        Condition ready = new Condition(
                writer.type(), status, text.reason(), text.message(), since, target.generation());
        target.details().ifPresent(parts::check);
        return target.details().map(details -> present.with(ready, details, now)).orElseGet(() -> present.with(ready));
    }

    /** Somebody waits for the condition, and what refuses the write may end without a change of this object. */
    @Override
    public Optional<Backoff> afterRefusal() {
        return Optional.of(Backoff.AFTER_REFUSAL);
    }

    @Override
    public void startOver(ObjectId object) {
        waiting.end(object);
    }

    @Override
    public void forget(ObjectId object) {
        waiting.end(object);
        written.remove(object);
        writer.forget(object);
    }
}
