package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.StatusPatch;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the condition of one type, and on a kind of our own the other parts of its status, with server-side apply under the
 * controller's own manager, so that nobody else's is touched. Knows what it has written before a cache shows it.
 */
final class ConditionWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ConditionWriter.class);
    /** Until the watch has brought a newer version of the object. */
    private static final Duration NEWER = Duration.ofSeconds(1);

    private final String type;
    private final ApiServer server;
    private final boolean writes;
    private final Optional<StatusParts> ownKind;
    private final Map<ObjectId, Wrote> wrote = new ConcurrentHashMap<>();
    /** Objects that may have a condition which no cache shows yet: the answer to its write was lost, or a conflict. */
    private final Map<ObjectId, Unconfirmed> unconfirmed = new ConcurrentHashMap<>();
    /** How often in a row a write met a version that is not served. */
    private final Map<ObjectId, Integer> unserved = new ConcurrentHashMap<>();

    /** How often the server has been restored from a backup, for all writers of one server. */
    private final AtomicInteger restores;

    /**
     * A write.
     *
     * @param version resourceVersion of the object since then
     * @param restores before it: a later one has taken it back, if it is not in the backup
     */
    private record Wrote(String uid, String version, OwnStatus status, int restores) {}

    /** @param outdated resourceVersion that a write was refused for; empty if none was */
    private record Unconfirmed(String uid, String outdated) {}

    /**
     * @param writes false: send nothing
     * @param ownKind the parts of the status of a kind of our own besides the condition; empty on other kinds
     */
    ConditionWriter(String type, ApiServer server, boolean writes, Optional<StatusParts> ownKind) {
        this(type, server, writes, ownKind, new AtomicInteger());
    }

    private ConditionWriter(
            String type, ApiServer server, boolean writes, Optional<StatusParts> ownKind, AtomicInteger restores) {
        this.restores = restores;
        this.type = type;
        this.server = server;
        this.writes = writes;
        this.ownKind = ownKind;
    }

    String type() {
        return type;
    }

    StatusParts parts() {
        return ownKind.orElse(StatusParts.NONE);
    }

    /** For conditions of another type. */
    ConditionWriter of(String other, Optional<StatusParts> parts) {
        return new ConditionWriter(other, server, writes, parts, restores);
    }

    /** The server has been restored from a backup: objects may be older than what was written. For all writers of it. */
    void restored() {
        restores.incrementAndGet();
    }

    /** As {@link #status}. */
    Optional<Condition> present(Target target) {
        return status(target).condition(type);
    }

    /** As seen, unless our own last write is newer. */
    OwnStatus status(Target target) {
        return newer(target).map(Wrote::status).orElseGet(() -> OwnStatus.of(target, type, parts()));
    }

    private Optional<Wrote> newer(Target target) {
        ObjectId id = ObjectId.of(target);
        Wrote last = wrote.get(id);
        if (last != null
                && last.restores() == restores.get()
                && last.uid().equals(target.regarding().uid())
                && ResourceVersions.isOlder(target.regarding().resourceVersion(), last.version())) {
            return Optional.of(last);
        }
        wrote.remove(id);
        return Optional.empty();
    }

    /** Whether it may be another one than {@link #present}. */
    boolean isUnconfirmed(Target target) {
        return unconfirmed(target).isPresent();
    }

    private Optional<Unconfirmed> unconfirmed(Target target) {
        return Optional.ofNullable(unconfirmed.get(ObjectId.of(target)))
                .filter(status -> status.uid().equals(target.regarding().uid()));
    }

    /** After a conflict: how long until the watch may have brought the newer version. Until then a write is refused. */
    Duration untilNewer(Target target) {
        return unconfirmed(target).map(Unconfirmed::outdated).filter(newest(target).resourceVersion()::equals)
                .map(outdated -> Timers.jittered(NEWER)).orElse(Duration.ZERO);
    }

    void forget(ObjectId id) {
        wrote.remove(id);
        unconfirmed.remove(id);
        unserved.remove(id);
    }

    /**
     * Writes all that the status is to show.
     *
     * @return how long until it is to be tried again: whatever becomes of it, the caller has more to do than this
     * @throws ApiFailure.Paused if nothing may be written now
     */
    Duration apply(Target target, OwnStatus status, String fieldManager) {
        ObjectId id = ObjectId.of(target);
        if (!writes) {
            return Duration.ZERO;
        }
        try {
            String version = Replies.metadata(send(target, status, fieldManager)).resourceVersion();
            wrote.put(id, new Wrote(target.regarding().uid(), version, status, restores.get()));
            unconfirmed.remove(id);
            unserved.remove(id);
        } catch (ApiFailure.NotFound gone) {
            forget(id);
        } catch (ApiFailure.Conflict newer) {
            // What a newer version shows is not known yet, or there is another object of this name by now.
            unconfirmed.put(id, new Unconfirmed(target.regarding().uid(), newest(target).resourceVersion()));
            return Timers.jittered(NEWER);
        } catch (ApiFailure.Paused paused) {
            throw paused; // the key comes back when that is over
        } catch (ApiFailure failure) {
            LOG.warn("condition not written: {}", failure.getMessage()); // what it is about is in the log all the same
            boolean later = mayWorkLater(failure);
            if (later && failure instanceof ApiFailure.Unreachable) { // the server may have made the change all the same
                unconfirmed.put(id, new Unconfirmed(target.regarding().uid(), ""));
            }
            int times = failure instanceof ApiFailure.NotServed ? unserved.merge(id, 1, Integer::sum) : 1;
            return later ? Backoff.AFTER_REFUSAL.delay(times) : Duration.ZERO;
        } catch (IOException e) {
            LOG.warn("the answer to a condition is no JSON object");
            unconfirmed.put(id, new Unconfirmed(target.regarding().uid(), ""));
        }
        return Duration.ZERO;
    }

    // A kind may lack the field: Cluster API before 1.9 has no such conditions. Other answers of 500, as from etcd, pass.
    private boolean mayWorkLater(ApiFailure failure) {
        return switch (failure) {
            case ApiFailure.Unreachable f -> !f.status().message().startsWith("failed to create typed patch object");
            case ApiFailure.Throttled f -> true;
            case ApiFailure.Unauthorized f -> true;
            case ApiFailure.Expired f -> true;
            case ApiFailure.Forbidden f -> ownKind.isPresent(); // somebody waits for it, and grants the right some day
            case ApiFailure.Rejected f -> false;
            case ApiFailure.NotServed f -> f.status().code() == 404; // an upgrade ends a version: the next is another
            case ApiFailure.NotFound f -> false;
            case ApiFailure.Conflict f -> false;
            case ApiFailure.AlreadyExists f -> false;
            case ApiFailure.Paused f -> true;
        };
    }

    /** Holds on the version that the status was made of: an older process may still write. */
    private byte[] send(Target target, OwnStatus status, String fieldManager) {
        boolean v1beta1 = target.resource().group().equals(ClusterApi.GROUP)
                && target.resource().version().equals("v1beta1");
        byte[] body = StatusPatch.of(newest(target), v1beta1, status.conditions().values(), status.fields());
        return server.patchStatus(target.resource(), target.regarding().key(), Patch.apply(body, fieldManager, true));
    }

    private Event.Regarding newest(Target target) {
        Event.Regarding seen = target.regarding();
        return newer(target).map(last -> new Event.Regarding(
                seen.apiVersion(), seen.kind(), seen.key(), seen.uid(), last.version())).orElse(seen);
    }
}
