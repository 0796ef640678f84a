package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.Difference;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.apply.ManagedFieldsEntry;
import io.nodeward.core.apply.Ownership;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Creates, updates and deletes as the real server does: checks, immutable fields, generations, finalizers, conflicts. */
final class Writer {
    /**
     * Who writes.
     *
     * @param subresource {@code status} or empty
     * @param dryRun whether all is done but the storing
     * @param all whether metadata, spec and status are written at once, as only the demo and tests may
     */
    record By(String manager, String subresource, boolean dryRun, boolean all) {
        ManagedFieldsEntry entry(boolean applied, String apiVersion, String time) {
            return new ManagedFieldsEntry(manager.isEmpty() ? "unknown" : manager.intern(), applied, apiVersion,
                    subresource, time,
                    FieldSet.NONE);
        }

        List<String> untouched(Kind kind) {
            return all ? List.of() : kind.untouched(subresource);
        }
    }

    /** What a deletion left: the object as last seen, and whether it is gone. */
    record Deletion(Stored object, boolean gone) {}

    /** What an apply stored, and whether it was there before. */
    record Applied(Stored object, boolean created) {}

    /** A state an object is to have, and who owns what then. */
    private record Wanted(ObjectNode object, Ownership owners) {}

    private final Registry registry;
    private final Pool pool = new Pool();
    private final Clock clock = Clock.systemUTC();

    Writer(Registry registry) {
        this.registry = registry;
    }

    Stored create(Store store, String version, String namespace, ObjectNode given, By by) {
        Kind kind = store.kind();
        ObjectNode object = newObject(store, version, namespace, given, by);
        ManagedFieldsEntry creator = by.entry(false, kind.apiVersion(version), now());
        Difference all = Difference.between(store.shape(), Json.object(), object).without(by.untouched(kind));
        return insert(store, object, Ownership.UNTRACKED.after(all, creator), by)
                .orElseThrow(() -> Refusal.alreadyExists(kind, Json.text(object, "metadata", "name")));
    }

    private Optional<Stored> insert(Store store, ObjectNode object, Ownership owners, By by) {
        if (by.dryRun()) {
            return Optional.of(new Stored(object, owners, 0));
        }
        String key = Store.key(Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
        return store.commit(key, null, object, pool.shared(owners));
    }

    private ObjectNode newObject(Store store, String version, String namespace, ObjectNode given, By by) {
        Kind kind = store.kind();
        ObjectNode object = Json.shallow(given);
        ObjectNode metadata = Creation.metadata(kind, version, namespace, given, now());
        object.set("metadata", metadata);
        if (kind.hasGenerations() && kind.status() && !by.all()) {
            object.remove("status");
        }
        kind.rules().prepare(object);
        check(kind, object, null);
        if (kind.namespaced()) {
            registry.store(Kinds.NAMESPACES.plural()).get("", namespace);
        }
        return object;
    }

    private static void check(Kind kind, ObjectNode object, @Nullable ObjectNode before) {
        ObjectNode metadata = Json.child(object, "metadata");
        List<Violation> wrong = new ArrayList<>(Metadata.check(metadata));
        if (before != null) {
            wrong.addAll(Metadata.checkUpdate(metadata, Json.child(before, "metadata")));
        }
        wrong.addAll(kind.rules().check(object, before));
        if (!wrong.isEmpty()) {
            throw Refusal.invalid(kind, Json.text(metadata, "name"), wrong);
        }
    }

    /** Applies an edit to the newest state, again if another write comes between. The edit must not change what it is given. */
    Stored update(Store store, String version, String namespace, String name, UnaryOperator<ObjectNode> edit, By by) {
        while (true) {
            Stored current = store.get(namespace, name);
            Optional<Stored> done = updateOnce(store, version, current, edit, by);
            if (done.isPresent()) {
                return done.get();
            }
        }
    }

    private Optional<Stored> updateOnce(
            Store store, String version, Stored current, UnaryOperator<ObjectNode> edit, By by) {
        Kind kind = store.kind();
        ObjectNode shown = current.shown(kind, kind.apiVersion(version));
        ObjectNode edited = edit.apply(shown);
        Ownership owners = by.subresource().isEmpty()
                ? current.owners().replacedBy(shown, edited)
                : current.owners();
        ObjectNode before = Json.shallow(shown);
        before.set("metadata", Json.shallow(Json.child(shown, "metadata")).without("managedFields"));
        ObjectNode after = Update.of(kind, before, current, edited, by);
        check(kind, after, before);
        if (!owners.owners().isEmpty()) {
            ManagedFieldsEntry writer = by.entry(false, kind.apiVersion(version), now());
            Difference difference = Difference.between(store.shape(), before, after).without(by.untouched(kind));
            owners = owners.after(difference, writer);
        }
        return replace(store, current, before, new Wanted(after, owners), by);
    }

    /** Applies to the newest state, again if another write comes between, or creates. */
    Applied apply(Store store, String version, String namespace, String name, ObjectNode wanted, boolean force, By by) {
        while (true) {
            Stored current = store.find(namespace, name);
            if (current == null && !by.subresource().isEmpty()) {
                throw Refusal.notFound(store.kind(), name);
            }
            ManagedFieldsEntry applier = by.entry(true, store.kind().apiVersion(version), now());
            Optional<Stored> done = current == null
                    ? createApplied(store, version, namespace, name, Apply.toNothing(store, wanted, applier), by)
                    : applyOnce(store, version, current, wanted, applier, force, by);
            if (done.isPresent()) {
                return new Applied(done.get(), current == null);
            }
        }
    }

    private Optional<Stored> createApplied(
            Store store, String version, String namespace, String name, Apply apply, By by) {
        Kind kind = store.kind();
        String uid = Json.text(apply.object(), "metadata", "uid");
        if (!uid.isEmpty()) {
            throw Refusal.conflict(kind, kind.plural(), kind.resource(), name, "uid mismatch: the provided object "
                    + "specified uid " + uid + ", and no existing object was found");
        }
        apply.requireName(name);
        ObjectNode given = Json.shallow(apply.object());
        given.set("metadata", Json.shallow(Json.child(given, "metadata")).without("resourceVersion"));
        return insert(store, newObject(store, version, namespace, given, by), apply.owners(), by);
    }

    private Optional<Stored> applyOnce(
            Store store, String version, Stored current, ObjectNode wanted, ManagedFieldsEntry applier, boolean force,
            By by) {
        Kind kind = store.kind();
        ObjectNode before = current.read(kind, kind.apiVersion(version));
        Apply apply = Apply.to(store, before, current.owners(), wanted, applier, force);
        apply.requireName(current.name());
        ObjectNode after = Update.of(kind, before, current, apply.object(), by);
        check(kind, after, before);
        return replace(store, current, before, new Wanted(after, apply.owners()), by);
    }

    private Optional<Stored> replace(Store store, Stored current, ObjectNode before, Wanted wanted, By by) {
        Kind kind = store.kind();
        ObjectNode after = wanted.object();
        if (after.equals(before) && wanted.owners().equalsButTimes(current.owners())) {
            return Optional.of(current);
        }
        ObjectNode metadata = Json.child(after, "metadata");
        if (kind.hasGenerations() && !Update.spec(after).equals(Update.spec(before))) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        if (by.dryRun()) {
            return Optional.of(new Stored(after, wanted.owners(), current.version()));
        }
        String key = Store.key(current.namespace(), current.name());
        if (metadata.has("deletionTimestamp") && !metadata.has("finalizers")) {
            return store.commit(key, current, null, Ownership.UNTRACKED)
                    .map(gone -> new Stored(after, wanted.owners(), current.version()));
        }
        return store.commit(key, current, after, pool.shared(wanted.owners()));
    }

    Deletion delete(Store store, String version, String namespace, String name, JsonNode preconditions,
            boolean dryRun) {
        Kind kind = store.kind();
        if (kind.equals(Kinds.NAMESPACES) && !dryRun) {
            store.get("", name);
            empty(name);
        }
        while (true) {
            Stored current = store.get(namespace, name);
            ObjectNode object = current.read(kind, kind.apiVersion(version));
            Update.requirePreconditions(kind, object, preconditions);
            ObjectNode metadata = Json.child(object, "metadata");
            boolean held = metadata.has("finalizers");
            if (dryRun || held && metadata.has("deletionTimestamp")) {
                return new Deletion(new Stored(object, current.owners(), 0), !held);
            }
            if (held) {
                mark(kind, metadata);
            }
            String key = Store.key(namespace, name);
            if (store.commit(key, current, held ? object : null, current.owners()).isPresent()) {
                return new Deletion(new Stored(object, current.owners(), 0), !held);
            }
        }
    }

    private void mark(Kind kind, ObjectNode metadata) {
        metadata.put("deletionTimestamp", now()).put("deletionGracePeriodSeconds", 0);
        if (kind.hasGenerations()) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
    }

    // What the namespace controller of a cluster does; nothing else runs here.
    private void empty(String namespace) {
        for (Store store : registry.stores()) {
            if (store.kind().namespaced()) {
                for (Stored stored : store.snapshot(namespace, 0, "").objects()) {
                    try {
                        delete(store, store.kind().versions().getFirst(), namespace, stored.name(), Json.object(),
                                false);
                    } catch (Refusal gone) {
                        continue; // another request was faster
                    }
                }
            }
        }
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
