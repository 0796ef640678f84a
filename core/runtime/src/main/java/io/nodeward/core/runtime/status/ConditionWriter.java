package io.nodeward.core.runtime.status;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the condition of one type with server-side apply under the controller's own manager, so that nobody else's is
 * touched. Knows what it has written before a cache shows it.
 */
final class ConditionWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ConditionWriter.class);
    /** Until what could not be written is tried again. */
    private static final Duration AGAIN = Duration.ofSeconds(30);

    private final String type;
    private final ApiServer server;
    private final boolean writes;
    private final boolean ownKind;
    private final Map<ObjectId, Wrote> wrote = new ConcurrentHashMap<>();
    /** Uids of objects that may have a condition which no cache shows yet: the answer to its write was lost. */
    private final Map<ObjectId, String> unconfirmed = new ConcurrentHashMap<>();

    /** @param version resourceVersion of the object since then */
    private record Wrote(String uid, String version, Optional<Condition> condition) {}

    /** @param writes false: send nothing */
    ConditionWriter(String type, ApiServer server, boolean writes) {
        this(type, server, writes, false);
    }

    private ConditionWriter(String type, ApiServer server, boolean writes, boolean ownKind) {
        this.type = type;
        this.server = server;
        this.writes = writes;
        this.ownKind = ownKind;
    }

    String type() {
        return type;
    }

    ConditionWriter named(String other) {
        return new ConditionWriter(other, server, writes);
    }

    /** Of the condition that somebody waits for: a right that is missing is granted some day. */
    ConditionWriter ofOwnKind() {
        return new ConditionWriter(Condition.READY, server, writes, true);
    }

    /** As seen, unless our own last write is newer. */
    Optional<Condition> present(Target target) {
        ObjectId id = ObjectId.of(target);
        Wrote last = wrote.get(id);
        if (last != null
                && last.uid().equals(target.regarding().uid())
                && ResourceVersions.isOlder(target.regarding().resourceVersion(), last.version())) {
            return last.condition();
        }
        wrote.remove(id);
        return target.conditions().stream().filter(c -> c.type().equals(type)).findFirst();
    }

    /** Whether it may be another one than {@link #present}. */
    boolean isUnconfirmed(Target target) {
        return target.regarding().uid().equals(unconfirmed.get(ObjectId.of(target)));
    }

    void forget(ObjectId id) {
        wrote.remove(id);
        unconfirmed.remove(id);
    }

    /**
     * Writes it, or takes it away.
     *
     * @return how long until it is to be tried again: whatever becomes of it, the caller has more to do than this
     */
    Duration apply(Target target, Optional<Condition> condition, String fieldManager) {
        ObjectId id = ObjectId.of(target);
        if (!writes) {
            return Duration.ZERO;
        }
        try {
            String version = Replies.metadata(send(target, condition, fieldManager)).resourceVersion();
            wrote.put(id, new Wrote(target.regarding().uid(), version, condition));
            unconfirmed.remove(id);
        } catch (ApiFailure.NotFound | ApiFailure.Conflict gone) {
            forget(id); // or there is another object of this name by now
        } catch (ApiFailure failure) {
            LOG.warn("condition not written: {}", failure.getMessage()); // what it is about is in the log all the same
            boolean later = mayWorkLater(failure);
            if (later && failure instanceof ApiFailure.Unreachable) { // the server may have made the change all the same
                unconfirmed.put(id, target.regarding().uid());
            }
            return later ? Timers.jittered(AGAIN) : Duration.ZERO;
        } catch (IOException e) {
            LOG.warn("the answer to a condition is no JSON object");
            unconfirmed.put(id, target.regarding().uid());
        }
        return Duration.ZERO;
    }

    // 500 is the answer to a field that the kind does not have: Cluster API before 1.9 has no such conditions.
    private boolean mayWorkLater(ApiFailure failure) {
        return switch (failure) {
            case ApiFailure.Unreachable f -> f.status().code() != 500;
            case ApiFailure.Throttled f -> true;
            case ApiFailure.Unauthorized f -> true;
            case ApiFailure.Expired f -> true;
            case ApiFailure.Forbidden f -> ownKind;
            case ApiFailure.Rejected f -> false;
            case ApiFailure.NotServed f -> false;
            case ApiFailure.NotFound f -> false;
            case ApiFailure.Conflict f -> false;
            case ApiFailure.AlreadyExists f -> false;
        };
    }

    private byte[] send(Target target, Optional<Condition> condition, String fieldManager) {
        boolean v1beta1 = target.resource().group().equals(ClusterApi.GROUP)
                && target.resource().version().equals("v1beta1");
        byte[] body = Bodies.conditions(target.regarding(), v1beta1, condition.stream().toList());
        return server.patchStatus(target.resource(), target.regarding().key(), Patch.apply(body, fieldManager, true));
    }
}
