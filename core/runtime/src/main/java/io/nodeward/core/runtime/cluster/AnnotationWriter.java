package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.AnnotationUpdate;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Sends changes of annotations of management objects, and keeps in their cache what became of them: no plan is made from
 * what was there before an own write.
 *
 * @param <T> the projected object
 */
public final class AnnotationWriter<T extends KubernetesObject> implements ObjectWriter {
    /** How long a conflicting write of somebody else takes to come through the watch, at most. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private final Annotations annotations;
    private final Function<String, ObjectCache<T>> caches;
    private final Projection<T> projection;
    private final BinaryOperator<T> withMetadataOf;

    /**
     * Needs nothing but what is given.
     *
     * @param caches of the objects, by their kind
     * @param withMetadataOf an object with the metadata of another, which is what the server replied
     */
    public AnnotationWriter(
            Annotations annotations,
            Function<String, ObjectCache<T>> caches,
            Projection<T> projection,
            BinaryOperator<T> withMetadataOf) {
        this.annotations = annotations;
        this.caches = caches;
        this.projection = projection;
        this.withMetadataOf = withMetadataOf;
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        if (!(change instanceof AnnotationUpdate update)) {
            throw new IllegalArgumentException("no change of annotations: " + change);
        }
        ObjectCache<T> cache = caches.apply(update.kind());
        Optional<T> held = cache.get(update.target().regarding().key());
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        T before = held.get();
        if (!before.metadata().resourceVersion().equals(update.target().regarding().resourceVersion())) {
            return new Applied.Outdated(ApiFailure.of(new Status(409, "Conflict", "there is a newer version", 0),
                    "PATCH of " + update.kind() + " " + update.name(), Optional.empty()));
        }
        try {
            Optional<byte[]> reply = send(update, fieldManager);
            reply.ifPresent(metadata -> hold(cache, update, before, metadata));
            return reply.isPresent() ? new Applied.Written() : new Applied.DryRun();
        } catch (ApiFailure.Conflict conflict) {
            return outdated(cache, before, conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        }
    }

    private Optional<byte[]> send(AnnotationUpdate update, String fieldManager) {
        return update.removes()
                ? annotations.change(update.target(), update.changes(), fieldManager)
                : annotations.apply(update.target(), update.applied(), fieldManager);
    }

    private void hold(ObjectCache<T> cache, AnnotationUpdate update, T before, byte[] reply) {
        try {
            T after = withMetadataOf.apply(before, projection.read(reply));
            if (after.key().equals(before.key()) && !after.metadata().resourceVersion().isEmpty()) {
                cache.wrote(before, after, after);
            }
        } catch (IOException e) {
            throw ApiFailure.unreachable(
                    "PATCH of " + update.kind() + " " + update.name(), "the reply is no JSON of an object", e);
        }
    }

    private Applied outdated(ObjectCache<T> cache, T before, ApiFailure.Conflict conflict) {
        cache.awaitChange(before, WATCH_DELAY);
        Optional<T> held = cache.get(before.key());
        if (held.isPresent() && held.get().sameVersion(before)) {
            throw conflict; // the queue waits longer
        }
        return held.isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
    }
}
