package io.nodeward.core.runtime.cluster;

import io.nodeward.api.core.Event;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ResourceVersions;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The condition {@value #TYPE}: on an object that has been blocked for a while, and gone when it is not any more.
 * Knows since when each is. Written with server-side apply under the room's own manager, so that nobody else's condition
 * is touched; an object that says it already costs no request.
 */
public final class Conditions {
    /** True on what is blocked, else absent. */
    public static final String TYPE = Condition.PREFIX + "Blocked";

    private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);
    private static final int LONGEST_MESSAGE = 1024;

    private final ApiServer server;
    private final Duration after;
    private final InstantSource clock;
    private final boolean writes;
    private final Map<Id, Since> blockedSince = new ConcurrentHashMap<>();
    private final Map<Id, Wrote> wrote = new ConcurrentHashMap<>();

    private record Id(String kind, ObjectKey key) {}

    /** @param uid another one of the same name is not blocked because the one before it was */
    private record Since(String uid, Instant time) {}

    /** @param version resourceVersion of the object since then */
    private record Wrote(String uid, String version, Optional<Condition> condition) {}

    /**
     * @param after how long something must be blocked before it is written
     * @param writes false: only log
     */
    public Conditions(ApiServer server, Duration after, InstantSource clock, boolean writes) {
        this.server = server;
        this.after = after;
        this.clock = clock;
        this.writes = writes;
    }

    /**
     * Says what blocks the target now, or that nothing does.
     *
     * @return how long until it is written, should it last; zero if there is nothing to wait for
     * @throws ApiFailure if it could not be written, and may be later
     */
    public Duration report(Target target, Optional<Blocked> blocked, String fieldManager) {
        Optional<Condition> present = present(target);
        if (blocked.isEmpty()) {
            blockedSince.remove(id(target));
            if (present.isPresent()) {
                apply(target, Optional.empty(), fieldManager);
            }
            return Duration.ZERO;
        }
        Instant now = clock.instant();
        Duration left = present.isPresent() ? Duration.ZERO : Duration.between(now, since(target, now).plus(after));
        if (left.isPositive()) {
            return left;
        }
        Condition wanted = condition(blocked.get(), present.map(Condition::since).orElse(now));
        if (!present.equals(Optional.of(wanted))) {
            apply(target, Optional.of(wanted), fieldManager);
        }
        return Duration.ZERO;
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
        return target.conditions().stream().filter(c -> c.type().equals(TYPE)).findFirst();
    }

    private Instant since(Target target, Instant now) {
        String uid = target.regarding().uid();
        return blockedSince.compute(
                id(target), (id, before) -> before != null && before.uid().equals(uid) ? before : new Since(uid, now))
                .time();
    }

    private static Id id(Target target) {
        return new Id(target.regarding().kind(), target.regarding().key());
    }

    /** The object is gone. */
    public void forget(String kind, ObjectKey key) {
        blockedSince.remove(new Id(kind, key));
        wrote.remove(new Id(kind, key));
    }

    private static Condition condition(Blocked blocked, Instant since) {
        String message = blocked.message();
        String cut = message.length() > LONGEST_MESSAGE ? message.substring(0, LONGEST_MESSAGE) : message;
        return new Condition(TYPE, "True", blocked.reason(), cut, since);
    }

    private void apply(Target target, Optional<Condition> condition, String fieldManager) {
        LOG.atInfo()
                .addKeyValue(target.regarding().kind(), target.regarding().key())
                .log(condition.map(c -> "blocked: " + c.message()).orElse("not blocked any more"));
        if (!writes) {
            return;
        }
        try {
            String version = Replies.metadata(send(target, condition, fieldManager)).resourceVersion();
            wrote.put(id(target), new Wrote(target.regarding().uid(), version, condition));
        } catch (ApiFailure.NotFound | ApiFailure.Conflict gone) {
            forget(target.regarding().kind(), target.regarding().key()); // or there is another object of this name by now
        } catch (ApiFailure.Forbidden | ApiFailure.Rejected | ApiFailure.NotServed refused) {
            LOG.warn("condition not written: {}", refused.getMessage()); // what it is about is in the log all the same
        } catch (IOException e) {
            String doing = "PATCH of " + target.regarding().kind() + " " + target.regarding().key();
            throw ApiFailure.unreachable(doing, "the reply is no JSON object", e);
        }
    }

    private byte[] send(Target target, Optional<Condition> condition, String fieldManager) {
        boolean v1beta1 = target.resource().version().equals("v1beta1");
        byte[] body = Bodies.conditions(target.regarding(), v1beta1, condition.stream().toList());
        return server.patchStatus(target.resource(), target.regarding().key(), Patch.apply(body, fieldManager, true));
    }
}
