package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.Applied;
import io.nodeward.core.apply.Difference;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.apply.ManagedFieldsEntry;
import io.nodeward.core.apply.Ownership;
import io.nodeward.core.apply.Shape;
import java.util.List;

/**
 * Server-side apply: the state an object gets when a manager says all it wants of it, and who owns what then.
 *
 * @param object to be stored, if it is what such an object may be
 */
record Apply(ObjectNode object, Ownership owners) {
    private static final List<String> WRITTEN = List.of("spec", "status");
    private static final String BEFORE_TRACKING = "before-first-apply";

    /**
     * To an object that is there.
     *
     * @param live without managedFields
     * @param applier with the time of this request, and without fields
     * @throws Refusal 400 and 500 for what is no such object, 409 if others own what would change
     */
    static Apply to(Store store, ObjectNode live, Ownership before, ObjectNode wanted, ManagedFieldsEntry applier,
            boolean force) {
        Kind kind = store.kind();
        Shape.Fields shape = store.shape();
        requireApplicable(store, wanted, applier);
        List<String> untouched = kind.untouched(applier.subresource());
        Ownership tracked = before.owners().isEmpty() ? firstTracked(store, live, applier) : before;
        Applied applied = Applied.of(shape, live, tracked, wanted, applier, untouched);
        if (!force && !applied.conflicts().isEmpty()) {
            throw Refusal.applyConflict(applied.conflicts());
        }
        List<String> written = WRITTEN.stream().filter(field -> !untouched.contains(field)).toList();
        return new Apply(Nulls.settled(kind, shape, live, applied.object(), written), applied.owners());
    }

    /** To an object that is not there yet. */
    static Apply toNothing(Store store, ObjectNode wanted, ManagedFieldsEntry applier) {
        requireApplicable(store, wanted, applier);
        return new Apply(wanted, Applied.of(store.shape(), Json.object(), Ownership.UNTRACKED, wanted, applier,
                store.kind().untouched("")).owners());
    }

    /** @param name on the URL */
    void requireName(String name) {
        String own = Json.text(object, "metadata", "name");
        if (own.isEmpty()) {
            throw Refusal.badRequest(
                    "the name of the object (" + name + " based on URL) was undeterminable: name must be provided");
        }
        if (!own.equals(name)) {
            throw Refusal.badRequest(
                    "the name of the object (" + own + ") does not match the name on the URL (" + name + ")");
        }
    }

    // The real server, too, takes all there is to one writer when an object without managedFields is applied to.
    private static Ownership firstTracked(Store store, ObjectNode live, ManagedFieldsEntry applier) {
        ManagedFieldsEntry writer = new ManagedFieldsEntry(BEFORE_TRACKING, false, applier.apiVersion(),
                applier.subresource(), applier.time(),
                FieldSet.NONE);
        Difference all = Difference.between(store.shape(), Json.object(), live);
        return Ownership.UNTRACKED.after(all.without(store.kind().untouched(applier.subresource())), writer);
    }

    private static void requireApplicable(Store store, ObjectNode wanted, ManagedFieldsEntry applier) {
        Kind kind = store.kind();
        String apiVersion = Json.text(wanted, "apiVersion");
        if (!Json.text(wanted, "kind").equals(kind.name()) || !apiVersion.equals(applier.apiVersion())) {
            String shown = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw Refusal.badRequest("invalid object type: " + shown + ", Kind=" + Json.text(wanted, "kind"));
        }
        JsonNode managedFields = wanted.path("metadata").path("managedFields");
        if (!managedFields.isMissingNode() && !managedFields.isNull()) {
            throw Refusal.badRequest("metadata.managedFields must be nil");
        }
        Fit.require(store, applier.apiVersion(), wanted);
    }
}
