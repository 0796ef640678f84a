package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The condition {@value #TYPE}, or another of that meaning: on an object that has been blocked for a while, and gone
 * when it is not any more. Knows since when each is. Written with server-side apply under the controller's own manager, so
 * that nobody else's condition is touched; an object that says it already costs no request.
 */
public final class Conditions {
    /** True on what is blocked, else absent. */
    public static final String TYPE = Condition.PREFIX + "Blocked";

    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);
    /** Until what could not be written is tried again. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final String type;
    private final ApiServer server;
    private final Duration after;
    private final InstantSource clock;
    private final LongSupplier ticker;
    private final boolean writes;
    private final Map<Id, Since> blockedSince = new ConcurrentHashMap<>();
    private final Map<Id, Wrote> wrote = new ConcurrentHashMap<>();
    /** Uids of objects that may have a condition which no cache shows yet: the answer to its write was lost. */
    private final Map<Id, String> unconfirmed = new ConcurrentHashMap<>();

    private record Id(String kind, ObjectKey key) {}

    /** @param uid another one of the same name is not blocked because the one before it was */
    private record Since(String uid, long nanos) {}

    /** @param version resourceVersion of the object since then */
    private record Wrote(String uid, String version, Optional<Condition> condition) {}

    /**
     * @param after how long something must be blocked before it is written
     * @param ticker nanoseconds since any one moment
     * @param writes false: only log
     */
    public Conditions(ApiServer server, Duration after, InstantSource clock, LongSupplier ticker, boolean writes) {
        this(TYPE, server, after, clock, ticker, writes);
    }

    private Conditions(
            String type,
            ApiServer server,
            Duration after,
            InstantSource clock,
            LongSupplier ticker,
            boolean writes) {
        this.type = type;
        this.server = server;
        this.ticker = ticker;
        this.after = after;
        this.clock = clock;
        this.writes = writes;
    }

    /** Others of this type: two controllers that report on one object would take each other's condition for their own. */
    public Conditions named(String other) {
        return new Conditions(other, server, after, clock, ticker, writes);
    }

    /** How long something must be blocked before it is written. */
    public Duration after() {
        return after;
    }

    /**
     * Says what blocks the target now, or that nothing does. One that is being deleted is not missed.
     *
     * @return how long until it is written, or tried again, should it last; zero if there is nothing to wait for
     */
    public Duration report(Target target, Optional<Blocked> by, String fieldManager) {
        Optional<Blocked> blocked = by.filter(b -> !target.deleting());
        Optional<Condition> present = present(target);
        if (blocked.isEmpty()) {
            blockedSince.remove(id(target));
            return present.isPresent() || isUnconfirmed(target)
                    ? apply(target, Optional.empty(), fieldManager)
                    : Duration.ZERO;
        }
        Duration left = present.isPresent() ? Duration.ZERO : after.minusNanos(blockedFor(target));
        if (left.isPositive()) {
            return left;
        }
        Condition wanted = condition(blocked.get(), present.map(Condition::since).orElseGet(clock::instant));
        return present.equals(Optional.of(wanted))
                ? Duration.ZERO
                : apply(target, Optional.of(wanted), fieldManager);
    }

    /** As seen, unless our own last write is newer. */
    private Optional<Condition> present(Target target) {
        Event.Regarding object = target.regarding();
        Wrote last = wrote.get(id(target));
        if (last != null
                && last.uid().equals(object.uid())
                && ResourceVersions.isOlder(object.resourceVersion(), last.version())) {
            return last.condition();
        }
        wrote.remove(id(target));
        return target.conditions().stream().filter(c -> c.type().equals(type)).findFirst();
    }

    private boolean isUnconfirmed(Target target) {
        return target.regarding().uid().equals(unconfirmed.get(id(target)));
    }

    /** Nanoseconds; not by the clock, which somebody may set. */
    private long blockedFor(Target target) {
        String uid = target.regarding().uid();
        long now = ticker.getAsLong();
        return now - blockedSince.compute(
                id(target), (id, before) -> before != null && before.uid().equals(uid) ? before : new Since(uid, now))
                .nanos();
    }

    private static Id id(Target target) {
        return new Id(target.regarding().kind(), target.regarding().key());
    }

    /** It is not known any more whether the object is blocked; should it be, the time starts anew. */
    public void startOver(String kind, ObjectKey key) {
        blockedSince.remove(new Id(kind, key));
    }

    /** The object is gone. */
    public void forget(String kind, ObjectKey key) {
        blockedSince.remove(new Id(kind, key));
        wrote.remove(new Id(kind, key));
        unconfirmed.remove(new Id(kind, key));
    }

    private Condition condition(Blocked blocked, Instant since) {
        return new Condition(type, "True", blocked.reason(), blocked.message(), since);
    }

    /** Returns how long until it is to be tried again: whatever becomes of it, the caller has more to do than this. */
    private Duration apply(Target target, Optional<Condition> condition, String fieldManager) {
        LOG.atInfo()
                .addKeyValue(target.regarding().kind(), target.regarding().key())
                .log(condition.map(c -> "blocked: " + c.message()).orElse("not blocked any more"));
        if (!writes) {
            return Duration.ZERO;
        }
        try {
            String version = Replies.metadata(send(target, condition, fieldManager)).resourceVersion();
            wrote.put(id(target), new Wrote(target.regarding().uid(), version, condition));
            unconfirmed.remove(id(target));
        } catch (ApiFailure.NotFound | ApiFailure.Conflict gone) {
            forget(target.regarding().kind(), target.regarding().key()); // or there is another object of this name by now
        } catch (ApiFailure failure) {
            LOG.warn("condition not written: {}", failure.getMessage()); // what it is about is in the log all the same
            boolean later = mayWorkLater(failure);
            if (later && failure instanceof ApiFailure.Unreachable) { // the server may have made the change all the same
                unconfirmed.put(id(target), target.regarding().uid());
            }
            return later ? Timers.jittered(AGAIN) : Duration.ZERO;
        } catch (IOException e) {
            LOG.warn("the answer to a condition is no JSON object");
            unconfirmed.put(id(target), target.regarding().uid());
        }
        return Duration.ZERO;
    }

    // 500 is the answer to a field that the kind does not have: Cluster API before 1.9 has no such conditions.
    private static boolean mayWorkLater(ApiFailure failure) {
        return switch (failure) {
            case ApiFailure.Unreachable f -> f.status().code() != 500;
            case ApiFailure.Throttled f -> true;
            case ApiFailure.Unauthorized f -> true;
            case ApiFailure.Expired f -> true;
            case ApiFailure.Forbidden f -> false;
            case ApiFailure.Rejected f -> false;
            case ApiFailure.NotServed f -> false;
            case ApiFailure.NotFound f -> false;
            case ApiFailure.Conflict f -> false;
            case ApiFailure.AlreadyExists f -> false;
        };
    }

    private byte[] send(Target target, Optional<Condition> condition, String fieldManager) {
        boolean v1beta1 = target.resource().version().equals("v1beta1");
        byte[] body = Bodies.conditions(target.regarding(), v1beta1, condition.stream().toList());
        return server.patchStatus(target.resource(), target.regarding().key(), Patch.apply(body, fieldManager, true));
    }
}
