package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The condition {@value Condition#READY} of a kind of our own: whether what the spec declares is in effect, for the
 * generation of the spec that it names. Until a newer spec is decided on, the condition names an older generation, and
 * {@code kubectl wait} does not take it for an answer.
 */
final class ReadyCondition implements StatusCondition {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyCondition.class);
    private static final String IN_EFFECT = "InEffect";
    private static final String WAITING = "Waiting";
    private static final Backoff AFTER_REFUSAL = new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(10));

    private final ConditionWriter writer;
    private final Lasting waiting;
    private final InstantSource clock;

    /** @param waiting what is waited for often comes at once, as after a restart: it is not reported before it has lasted */
    ReadyCondition(ConditionWriter writer, Lasting waiting, InstantSource clock) {
        this.writer = writer;
        this.waiting = waiting;
        this.clock = clock;
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
        Optional<Condition> present = writer.present(target);
        Instant since = present.filter(condition -> condition.status().equals(status)).map(Condition::since)
                .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS));
        Condition wanted = new Condition(
                writer.type(), status, text.reason(), text.message(), since, target.generation());
        boolean known = present.equals(Optional.of(wanted)) && !writer.isUnconfirmed(target);
        if (known || target.deleting()) {
            return Duration.ZERO;
        }
        LOG.atInfo().addKeyValue(target.regarding().kind(), target.regarding().key()).addKeyValue("status", status)
                .addKeyValue("reason", text.reason()).addKeyValue("generation", target.generation())
                .log("{}", text.message());
        return writer.apply(target, Optional.of(wanted), fieldManager);
    }

    /** Somebody waits for the condition, and what refuses the write may end without a change of this object. */
    @Override
    public Optional<Backoff> afterRefusal() {
        return Optional.of(AFTER_REFUSAL);
    }

    @Override
    public void startOver(ObjectId object) {
        waiting.end(object);
    }

    @Override
    public void forget(ObjectId object) {
        waiting.end(object);
        writer.forget(object);
    }
}
