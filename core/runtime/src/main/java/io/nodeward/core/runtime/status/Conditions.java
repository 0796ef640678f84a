package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Condition;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The condition {@value #TYPE}, or another of that meaning, on kinds that are not our own: on an object that has been
 * blocked for a while, and gone when it is not any more. Success costs no request there.
 */
public final class Conditions implements StatusCondition {
    /** True on what is blocked, else absent. */
    public static final String TYPE = Condition.PREFIX + "Blocked";

    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);

    private final ConditionWriter writer;
    private final Duration after;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final Lasting blocked;

    /**
     * @param after how long something must be blocked before it is written
     * @param ticker nanoseconds since any one moment
     * @param writes false: only log
     */
    public Conditions(ApiServer server, Duration after, InstantSource clock, LongSupplier ticker, boolean writes) {
        this(new ConditionWriter(TYPE, server, writes), after, clock, ticker);
    }

    private Conditions(ConditionWriter writer, Duration after, InstantSource clock, LongSupplier ticker) {
        this.writer = writer;
        this.after = after;
        this.clock = clock;
        this.ticker = ticker;
        this.blocked = new Lasting(after, ticker);
    }

    /** Others of this type: two controllers that report on one object would take each other's condition for their own. */
    public Conditions named(String other) {
        return new Conditions(writer.named(other), after, clock, ticker);
    }

    /** For a kind of our own, which reports success too, and these parts of the status. */
    public StatusCondition ready(StatusParts parts) {
        return new ReadyCondition(writer.ofOwnKind(parts), parts, new Lasting(after, ticker), clock, ticker);
    }

    /** How long something must be blocked before it is written. */
    public Duration after() {
        return after;
    }

    /** Whether the target, which is blocked now, has been for that long, be it written yet or not. */
    public boolean hasLasted(Target target) {
        return writer.present(target).isPresent() || !blocked.left(target).isPositive();
    }

    /** One that is being deleted is not missed. */
    @Override
    public Duration report(Target target, Optional<Blocked> by, String fieldManager) {
        Optional<Blocked> current = by.filter(b -> !target.deleting());
        Optional<Condition> present = writer.present(target);
        if (current.isEmpty()) {
            blocked.end(ObjectId.of(target));
            return present.isPresent() || writer.isUnconfirmed(target)
                    ? apply(target, Optional.empty(), fieldManager)
                    : Duration.ZERO;
        }
        Duration left = present.isPresent() ? Duration.ZERO : blocked.left(target);
        if (left.isPositive()) {
            return left;
        }
        Condition wanted = condition(current.get(), present.map(Condition::since).orElseGet(clock::instant));
        return present.equals(Optional.of(wanted))
                ? Duration.ZERO
                : apply(target, Optional.of(wanted), fieldManager);
    }

    @Override
    public Duration waiting(Target target, String reason, String fieldManager) {
        blocked.end(ObjectId.of(target));
        return Duration.ZERO;
    }

    @Override
    public void startOver(ObjectId object) {
        blocked.end(object);
    }

    @Override
    public void forget(ObjectId object) {
        blocked.end(object);
        writer.forget(object);
    }

    private Condition condition(Blocked by, Instant since) {
        return new Condition(writer.type(), Condition.TRUE, by.reason(), by.message(), since);
    }

    private Duration apply(Target target, Optional<Condition> condition, String fieldManager) {
        Duration left = writer.untilNewer(target);
        if (left.isPositive()) {
            return left;
        }
        LOG.atInfo()
                .addKeyValue(target.regarding().kind(), target.regarding().key())
                .log(condition.map(c -> "blocked: " + c.message()).orElse("not blocked any more"));
        return writer.apply(target, condition, fieldManager);
    }
}
