package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.controller.AnnotatedObjects;
import io.nodeward.core.runtime.controller.AnnotationUpdate;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.Optional;

/**
 * Sends changes of annotations of management objects: one request each, which holds only on the version that was planned
 * from. Keeps in their cache what became of them.
 */
public final class AnnotationWriter implements ObjectWriter.Of<AnnotationUpdate> {
    private final ApiServer server;
    private final WriteMeters meters;

    public AnnotationWriter(ApiServer server, MeterRegistry registry) {
        this.server = server;
        this.meters = WriteMeters.ofAnnotations(registry);
    }

    @Override
    public Applied apply(AnnotationUpdate update, String fieldManager, boolean again) {
        return apply(update, update.objects(), fieldManager);
    }

    private <T extends KubernetesObject> Applied apply(
            AnnotationUpdate update, AnnotatedObjects<T> objects, String fieldManager) {
        Optional<T> held = objects.cache().get(update.target().regarding().key());
        if (held.isEmpty()) {
            return new Applied.Gone();
        }
        T before = held.get();
        if (!before.metadata().resourceVersion().equals(update.target().regarding().resourceVersion())) {
            return NewerVersion.held(update.kind() + " " + update.name(), "there is a newer version");
        }
        try {
            byte[] reply = meters.count(() -> server.patch(
                    update.target().resource(), before.key(), patch(update, fieldManager)));
            hold(objects, update, before, reply);
            return new Applied.Written();
        } catch (ApiFailure.Conflict conflict) {
            return NewerVersion.await(objects.cache(), before, conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        }
    }

    /** What somebody else manages too cannot be removed by applying the rest. Values of others are taken over. */
    private static Patch patch(AnnotationUpdate update, String fieldManager) {
        return update.removes()
                ? Patch.merge(Bodies.annotationsPatch(
                        update.target().regarding().resourceVersion(), update.changes()), fieldManager)
                : Patch.apply(Bodies.annotations(update.target().regarding(), update.applied()), fieldManager, true);
    }

    private static <T extends KubernetesObject> void hold(
            AnnotatedObjects<T> objects, AnnotationUpdate update, T before, byte[] reply) {
        try {
            T after = objects.withMetadataOf().apply(before, objects.projection().read(reply));
            if (after.key().equals(before.key()) && !after.metadata().resourceVersion().isEmpty()) {
                objects.cache().recordOwnWrite(before, after, after);
            }
        } catch (IOException e) {
            throw ApiFailure.unreachable(
                    "PATCH of " + update.kind() + " " + update.name(), "the reply is no JSON of an object", e);
        }
    }
}
