package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.admission.JsonPatch;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.ObjectUpdate.Preconditions;
import io.nodeward.core.runtime.controller.ObjectUpdate.Verb;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends changes of objects of any kind: one request each, which is through when the cache has what became of the object, so
 * that no plan is made from an older copy.
 */
public final class ObjectUpdateWriter implements ObjectWriter.Of<ObjectUpdate> {
    private static final Logger LOG = LoggerFactory.getLogger(ObjectUpdateWriter.class);

    private final ApiServer server;
    private final WriteMeters meters;
    private final Duration watchDelay;

    public ObjectUpdateWriter(ApiServer server, MeterRegistry registry) {
        this(server, registry, NewerVersion.WATCH_DELAY);
    }

    ObjectUpdateWriter(ApiServer server, MeterRegistry registry, Duration watchDelay) {
        this.server = server;
        this.meters = WriteMeters.ofObjects(registry);
        this.watchDelay = watchDelay;
    }

    @Override
    public Applied apply(ObjectUpdate update, String fieldManager, boolean again) {
        try {
            if (update.cache().isPresent()) {
                return apply(update, update.cache().get(), fieldManager);
            }
            send(update, fieldManager);
            return new Applied.Written();
        } catch (ApiFailure.NotFound missing) {
            if (update.verb() instanceof Verb.Delete || update.verb() instanceof Verb.ApplyStatus) {
                return new Applied.Gone();
            }
            throw missing;
        } catch (ApiFailure.Conflict conflict) {
            boolean planned = isMisfit(conflict)
                    && (update.preconditions().equals(Preconditions.NONE) || isPlannedFrom(update, found(update)));
            throw planned ? refused(update, conflict) : conflict;
        }
    }

    /** Without a cache the server is asked what there is; empty if that cannot be read. */
    private Optional<PartialObject> found(ObjectUpdate update) {
        try {
            byte[] found = server.get(update.objectKind().resource(), update.key());
            return Optional.of(new PartialObject(Replies.metadata(found)));
        } catch (IOException | ApiFailure.NotFound | ApiFailure.Forbidden none) {
            return Optional.empty();
        }
    }

    private <T extends KubernetesObject> Applied apply(
            ObjectUpdate update, ObjectCache<T> cache, String fieldManager) {
        Optional<T> held = cache.get(update.key());
        if (held.isEmpty() && update.verb() instanceof Verb.Delete) {
            return new Applied.Gone();
        }
        if (!isPlannedFrom(update, held)) {
            return NewerVersion.held(update.kind() + " " + update.name(), "there is a newer version");
        }
        if (update.verb() instanceof Verb.Delete && held.filter(object -> object.metadata().deleting()).isPresent()) {
            return new Applied.Gone(); // when its finalizers are: there is nothing more to do
        }
        return send(update, cache, held, fieldManager);
    }

    private <T extends KubernetesObject> Applied send(
            ObjectUpdate update, ObjectCache<T> cache, Optional<T> held, String fieldManager) {
        try {
            Optional<Metadata> written = send(update, fieldManager);
            await(cache, update.key(), now -> update.verb() instanceof Verb.Delete
                    ? isDeletionSeen(held, now)
                    : isSeen(held, now, written));
            return new Applied.Written();
        } catch (ApiFailure.Conflict | ApiFailure.AlreadyExists | ApiFailure.NotFound failure) {
            if (failure instanceof ApiFailure.NotFound && !isPatch(update)
                    || isSame(held, await(cache, update.key(), now -> !isSame(held, now)))) {
                throw isMisfit(failure) ? refused(update, failure) : failure; // of a conflict the queue waits longer
            }
            return new Applied.Outdated(failure);
        }
    }

    /** A server answers alike to a test of another version and to a path that is not there; the cache tells them apart. */
    private static boolean isMisfit(ApiFailure failure) {
        return failure instanceof ApiFailure.Conflict && failure.status().code() == 422;
    }

    private static ApiFailure refused(ObjectUpdate update, ApiFailure misfit) {
        String why = "the patch does not fit the object: a path is not there, or a test of its own fails";
        return ApiFailure.of(new Status(422, misfit.status().reason(), why, 0),
                update.kind() + " " + update.name(), Optional.empty());
    }

    /** Where it is not found, the object is gone: what makes one misses its namespace. */
    private static boolean isPatch(ObjectUpdate update) {
        return update.verb() instanceof Verb.MergePatch || update.verb() instanceof Verb.JsonPatch
                || update.verb() instanceof Verb.ApplyStatus;
    }

    private static boolean isPlannedFrom(ObjectUpdate update, Optional<? extends KubernetesObject> held) {
        return update.verb() instanceof Verb.Create
                ? held.isEmpty()
                : update.preconditions().equals(Preconditions.NONE)
                        || held.filter(object -> update.preconditions().holdOn(object.metadata())).isPresent();
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

    /** Returns what the object is then; empty of a deletion, and if the answer cannot be read. */
    private Optional<Metadata> send(ObjectUpdate update, String fieldManager) {
        return meters.count(() -> request(update, fieldManager));
    }

    private Optional<Metadata> request(ObjectUpdate update, String fieldManager) {
        Resource resource = update.objectKind().resource();
        ObjectKey key = update.key();
        return switch (update.verb()) {
            case Verb.Create(Tree content) -> metadata(server.create(
                    resource, key.namespace(), Trees.written(object(update, content)), fieldManager));
            case Verb.Apply(Tree content) -> metadata(server.patch(resource, key,
                    Patch.apply(Trees.writtenForApply(object(update, content)), fieldManager, true)));
            case Verb.ApplyStatus(Tree status) -> metadata(server.patchStatus(resource, key, Patch.apply(
                    Trees.writtenForApply(object(update, Tree.of(Map.of("status", status)))), fieldManager, true)));
            case Verb.MergePatch(Tree patch) -> metadata(server.patch(resource, key,
                    Patch.merge(Trees.written(held(update, patch)), fieldManager)));
            case Verb.JsonPatch(JsonPatch patch) -> metadata(server.patch(resource, key,
                    Patch.json(Trees.written(tested(update, patch).tree()), fieldManager)));
            case Verb.Delete delete -> {
                server.delete(resource, key, new DeleteOptions(
                        update.preconditions().uid(), update.preconditions().resourceVersion(), ""));
                yield Optional.empty();
            }
        };
    }

    private static Optional<Metadata> metadata(byte[] reply) {
        try {
            return Optional.of(Replies.metadata(reply));
        } catch (IOException e) {
            LOG.warn("the answer to a write is no JSON object"); // the watch will tell what became of it
            return Optional.empty();
        }
    }

    private static Tree object(ObjectUpdate update, Tree content) {
        Map<String, Tree> fields = fields(held(update, content));
        Map<String, Tree> metadata = fields(fields.get("metadata"));
        metadata.put("name", new Tree.Text(update.key().name()));
        putText(metadata, "namespace", update.key().namespace());
        fields.put("apiVersion", new Tree.Text(update.objectKind().resource().apiVersion()));
        fields.put("kind", new Tree.Text(update.kind()));
        fields.put("metadata", new Tree.Fields(metadata));
        return new Tree.Fields(fields);
    }

    private static Tree held(ObjectUpdate update, Tree content) {
        Map<String, Tree> fields = fields(content);
        Map<String, Tree> metadata = fields(content.at("metadata"));
        metadata.putAll(preconditions(update));
        fields.put("metadata", new Tree.Fields(metadata));
        return new Tree.Fields(fields);
    }

    private static JsonPatch tested(ObjectUpdate update, JsonPatch patch) {
        JsonPatch tested = JsonPatch.EMPTY;
        for (Map.Entry<String, Tree> value : preconditions(update).entrySet()) {
            tested = tested.test(List.of("metadata", value.getKey()), value.getValue());
        }
        return new JsonPatch(Stream.concat(tested.operations().stream(), patch.operations().stream()).toList());
    }

    /** By their names in metadata. */
    private static Map<String, Tree> preconditions(ObjectUpdate update) {
        Map<String, Tree> fields = new TreeMap<>();
        putText(fields, "uid", update.preconditions().uid());
        putText(fields, "resourceVersion", update.preconditions().resourceVersion());
        return fields;
    }

    private static Map<String, Tree> fields(@Nullable Tree tree) {
        return tree instanceof Tree.Fields(Map<String, Tree> fields) ? new TreeMap<>(fields) : new TreeMap<>();
    }

    private static void putText(Map<String, Tree> fields, String field, String text) {
        if (!text.isEmpty()) {
            fields.put(field, new Tree.Text(text));
        }
    }
}
