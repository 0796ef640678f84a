package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectChange.OwnWrite;
import io.nodeward.core.runtime.controller.ObjectChange.Preconditions;
import io.nodeward.core.runtime.controller.ObjectChange.Seen;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.controller.Verb.Effect;
import io.nodeward.core.runtime.controller.Verb.Missing;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends changes of objects of one cluster: one request each, which is through when the cache has what became of the object,
 * so that no plan is made from an older copy. Of a Node the cache holds it at once; of others the watch brings it.
 */
public final class ChangeWriter implements ObjectWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeWriter.class);
    /** How long a write takes to come through the watch, at most. */
    static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private final ApiServer server;
    private final WriteMeters meters;
    private final ChangeListener<Node> ownWrites;
    private final Duration watchDelay;

    public ChangeWriter(ApiServer server, WriteMeters meters) {
        this(server, meters, (before, after) -> {}, WATCH_DELAY);
    }

    /** @param ownWrites hears of changes of Nodes, of which the cache tells no listener */
    ChangeWriter(ApiServer server, WriteMeters meters, ChangeListener<Node> ownWrites, Duration watchDelay) {
        this.server = server;
        this.meters = meters;
        this.ownWrites = ownWrites;
        this.watchDelay = watchDelay;
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        ChangeRequest request = new ChangeRequest(change, change.manager().orElse(fieldManager));
        try {
            if (change.verb() instanceof Verb.PatchNode patch) {
                return patch(request, patch, again);
            }
            if (change.seen().isPresent()) {
                return apply(request, change.seen().get().cache());
            }
            send(request, again);
            return new Applied.Written();
        } catch (ApiFailure.NotFound missing) {
            if (change.missing() == Missing.DONE) {
                return new Applied.Gone();
            }
            throw missing;
        } catch (ApiFailure failure) {
            return notDeleted(change, failure).orElseThrow(() -> failure);
        }
    }

    /** Returns what the failure of a deletion means: a budget may hold it up, whatever the code, or nobody knows what became of it. */
    private static Optional<Applied> notDeleted(ObjectChange change, ApiFailure failure) {
        if (!(change.verb() instanceof Verb.Delete(boolean asksBudgets))) {
            return Optional.empty();
        }
        Optional<Applied> held = Optional.of(failure.status()).filter(status -> asksBudgets).flatMap(Status::heldUp)
                .map(Applied.Unavailable::new);
        return held.or(() -> failure instanceof ApiFailure.Unreachable
                ? Optional.of(new Applied.Unanswered(failure)) : Optional.empty());
    }

    private <T extends KubernetesObject> Applied apply(ChangeRequest request, ObjectCache<T> cache) {
        ObjectChange change = request.change();
        Optional<T> held = cache.get(change.key());
        boolean deletes = change.verb().traits().effect() == Effect.DELETES;
        if (held.isEmpty() && deletes) {
            return new Applied.Gone();
        }
        if (!isPlannedFrom(change, held)) {
            return outdated(change);
        }
        if (deletes && held.filter(object -> object.metadata().deleting()).isPresent()) {
            return new Applied.Gone(); // when its finalizers are: there is nothing more to do
        }
        return send(request, cache, held);
    }

    private <T extends KubernetesObject> Applied send(
            ChangeRequest request, ObjectCache<T> cache, Optional<T> held) {
        ObjectChange change = request.change();
        try {
            Optional<byte[]> reply = send(request, false);
            Optional<OwnWrite> own = change.seen().flatMap(Seen::own);
            if (own.isPresent()) {
                own.get().hold(reply.orElseThrow());
                return new Applied.Written();
            }
            Optional<Metadata> written = reply.flatMap(ChangeWriter::metadata);
            await(cache, change.key(), now -> change.verb().traits().effect() == Effect.DELETES
                    ? isDeletionSeen(held, now)
                    : isSeen(held, now, written));
            return new Applied.Written();
        } catch (ApiFailure.Conflict | ApiFailure.AlreadyExists | ApiFailure.NotFound failure) {
            if (failure instanceof ApiFailure.NotFound && change.missing() != Missing.OUTDATED
                    || isSame(held, await(cache, change.key(), now -> !isSame(held, now)))) {
                throw refused(change, failure); // of a conflict the queue waits longer
            }
            return new Applied.Outdated(failure);
        } catch (IOException e) {
            throw ApiFailure.unreachable(change.object(), "the reply is not of the object", e);
        }
    }

    private Applied patch(ChangeRequest request, Verb.PatchNode patch, boolean again) {
        Optional<Node> held = nodes(patch).get(patch.before().key());
        // Another Node of that name has registered since the decision: the server would refuse what was meant for this one.
        if (held.filter(node -> !request.change().preconditions().holdOn(node.metadata())).isPresent()) {
            return outdated(request.change());
        }
        try {
            hold(patch, Replies.metadata(send(request, again).orElseThrow()));
            return new Applied.Written();
        } catch (ApiFailure.Conflict conflict) {
            return newer(patch, conflict, ChangeRequest.tested(patch, again).isPresent());
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Node " + patch.before().key(), "the reply is no JSON of the Node",
                    e);
        }
    }

    /** The reply says what others wrote since the change was planned as well; what it does not say could not have changed. */
    private void hold(Verb.PatchNode patch, Metadata reply) throws IOException {
        Node before = patch.before();
        String version = reply.resourceVersion();
        if (version.isEmpty()) { // from such a Node the next write would hold on anything
            throw new IOException("without resourceVersion");
        }
        if (!reply.key().equals(before.key()) || !reply.uid().equals(before.metadata().uid())) {
            throw new IOException("of another object");
        }
        Node after = new Node(
                reply, before.providerId(), patch.change().taints().orElse(before.taints()), before.created());
        nodes(patch).recordOwnWrite(before, patch.change().applyTo(before, version), after)
                .ifPresent(held -> ownWrites.changed(held, after));
    }

    /** Returns when the cache has what would not be refused as this was: the watch has brought it, or it is read. */
    private Applied newer(Verb.PatchNode patch, ApiFailure.Conflict conflict, boolean tested) {
        Node before = patch.before();
        Predicate<Optional<Node>> other = held -> held
                .filter(node -> tested ? node.sameState(before) : node.sameVersion(before)).isEmpty();
        if (!other.test(await(nodes(patch), before.key(), other))) {
            if (Thread.currentThread().isInterrupted()) {
                throw conflict;
            }
            try {
                nodes(patch).refresh(Projection.NODE.read(server.get(Resources.NODES, before.key())));
            } catch (IOException e) {
                throw ApiFailure.unreachable("GET of Node " + before.key(), "the reply is no JSON object", e);
            }
        }
        return nodes(patch).get(before.key()).isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
    }

    private static ObjectCache<Node> nodes(Verb.PatchNode patch) {
        return patch.nodes().orElseThrow();
    }

    /** A server answers alike to a test of another version and to a path that is not there; the cache tells them apart. */
    private static ApiFailure refused(ObjectChange change, ApiFailure failure) {
        String why = "the patch does not fit the object: a path is not there, or a test of its own fails";
        return failure instanceof ApiFailure.Conflict && failure.status().code() == 422
                ? failure(change, new Status(422, failure.status().reason(), why, 0))
                : failure;
    }

    /** The cache has a newer version already: the server would refuse the change, which is not sent. */
    private static Applied outdated(ObjectChange change) {
        return new Applied.Outdated(failure(change, new Status(409, "Conflict", "there is a newer version", 0)));
    }

    private static ApiFailure failure(ObjectChange change, Status status) {
        return ApiFailure.of(status, change.object(), Optional.empty());
    }

    private static boolean isPlannedFrom(ObjectChange change, Optional<? extends KubernetesObject> held) {
        return change.verb().traits().effect() == Effect.CREATES
                ? held.isEmpty()
                : change.preconditions().equals(Preconditions.NONE)
                        || held.filter(object -> change.preconditions().holdOn(object.metadata())).isPresent();
    }

    private static boolean isDeletionSeen(
            Optional<? extends KubernetesObject> before, Optional<? extends KubernetesObject> now) {
        return !uid(now).equals(uid(before)) || now.filter(object -> object.metadata().deleting()).isPresent();
    }

    /** @param written what the write has made; empty if the answer cannot be read */
    private static boolean isSeen(Optional<? extends KubernetesObject> before,
            Optional<? extends KubernetesObject> now, Optional<Metadata> written) {
        if (now.isEmpty()) { // somebody has deleted it since, unless it was another one that was there before
            return before.isPresent() && written.map(Metadata::uid).or(() -> uid(before)).equals(uid(before));
        }
        return written.filter(newer -> ResourceVersions.isOlder(
                now.get().metadata().resourceVersion(), newer.resourceVersion())).isEmpty();
    }

    private static Optional<String> uid(Optional<? extends KubernetesObject> object) {
        return object.map(found -> found.metadata().uid());
    }

    private static boolean isSame(
            Optional<? extends KubernetesObject> before, Optional<? extends KubernetesObject> now) {
        return before.map(object -> object.metadata().resourceVersion())
                .equals(now.map(object -> object.metadata().resourceVersion()));
    }

    private <T extends KubernetesObject> Optional<T> await(
            ObjectCache<T> cache, ObjectKey key, Predicate<Optional<T>> wanted) {
        try {
            return cache.await(key, wanted, watchDelay);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return cache.get(key);
        }
    }

    private Optional<byte[]> send(ChangeRequest request, boolean again) {
        return meters.count(request.change(), () -> request.send(server, again));
    }

    private static Optional<Metadata> metadata(byte[] reply) {
        try {
            return Optional.of(Replies.metadata(reply));
        } catch (IOException e) {
            LOG.warn("the answer to a write is no JSON object"); // the watch will tell what became of it
            return Optional.empty();
        }
    }
}
