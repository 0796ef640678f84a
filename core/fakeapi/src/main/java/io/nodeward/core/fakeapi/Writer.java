package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Creates, updates and deletes as the real server does: checks, immutable fields, generations, finalizers, conflicts. */
final class Writer {
    private static final String SUFFIX_LETTERS = "bcdfghjklmnpqrstvwxz2456789";

    /**
     * Who writes.
     *
     * @param subresource {@code status} or empty
     * @param dryRun whether all is done but the storing
     * @param all whether metadata, spec and status are written at once, as only the demo and tests may
     */
    record By(String manager, String subresource, boolean dryRun, boolean all) {}

    /** What a deletion left: the object as last seen, and whether it is gone. */
    record Deletion(ObjectNode object, boolean gone) {}

    private final Registry registry;
    private final Clock clock = Clock.systemUTC();

    Writer(Registry registry) {
        this.registry = registry;
    }

    Stored create(Shelf shelf, String version, String namespace, ObjectNode given, By by) {
        Kind kind = shelf.kind();
        ObjectNode object = Json.shallow(given);
        ObjectNode metadata = newMetadata(kind, version, namespace, given);
        object.set("metadata", metadata);
        if (kind.custom() && kind.status() && !by.all()) {
            object.remove("status");
        }
        String name = Json.text(metadata, "name");
        kind.rules().prepare(object);
        check(kind, object, null);
        if (kind.namespaced()) {
            registry.shelf(Kinds.NAMESPACES.plural()).get("", namespace);
        }
        Metadata.note(metadata, null, by, kind.apiVersion(version), now());
        if (by.dryRun()) {
            return new Stored(object, 0);
        }
        return shelf.commit(Shelf.key(namespace, name), null, object)
                .orElseThrow(() -> Refusal.alreadyExists(kind, name));
    }

    private ObjectNode newMetadata(Kind kind, String version, String namespace, ObjectNode given) {
        ObjectNode metadata = tidyForCreate(kind, version, given);
        if (metadata.has("resourceVersion")) {
            throw Refusal.of(500, "", "resourceVersion should not be set on objects to be created");
        }
        if (kind.namespaced()) {
            if (!metadata.path("namespace").asText(namespace).equals(namespace)) {
                throw Refusal.badRequest(
                        "the namespace of the provided object does not match the namespace sent on the request");
            }
            metadata.put("namespace", namespace);
        } else {
            metadata.remove("namespace");
        }
        if (!metadata.has("name") && metadata.has("generateName")) {
            metadata.put("name", Json.text(metadata, "generateName") + suffix());
        }
        metadata.put("uid", UUID.randomUUID().toString()).put("creationTimestamp", now());
        metadata.remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds", "managedFields", "generation"));
        if (kind.custom()) {
            metadata.put("generation", 1);
        }
        return Metadata.tidy(metadata);
    }

    private static ObjectNode tidyForCreate(Kind kind, String version, ObjectNode given) {
        try {
            return Metadata.tidy(given.path("metadata"));
        } catch (IllegalArgumentException e) {
            throw Refusal
                    .badRequest(kind.name() + " in version \"" + version + "\" cannot be handled as a " + kind.name()
                            + ": " + e.getMessage());
        }
    }

    private static String suffix() {
        StringBuilder suffix = new StringBuilder();
        ThreadLocalRandom.current()
                .ints(5, 0, SUFFIX_LETTERS.length())
                .forEach(i -> suffix.append(SUFFIX_LETTERS.charAt(i)));
        return suffix.toString();
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
    Stored update(Shelf shelf, String version, String namespace, String name, UnaryOperator<ObjectNode> edit, By by) {
        while (true) {
            Stored current = shelf.get(namespace, name);
            Optional<Stored> done = updateOnce(shelf, version, current, edit, by);
            if (done.isPresent()) {
                return done.get();
            }
        }
    }

    private Optional<Stored> updateOnce(
            Shelf shelf, String version, Stored current, UnaryOperator<ObjectNode> edit, By by) {
        Kind kind = shelf.kind();
        ObjectNode before = current.read(kind, kind.apiVersion(version));
        ObjectNode after = Update.of(kind, before, current, edit.apply(before), by);
        check(kind, after, before);
        if (after.equals(before)) {
            return Optional.of(current);
        }
        ObjectNode metadata = Json.child(after, "metadata");
        if (kind.custom() && !Update.spec(after).equals(Update.spec(before))) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
        Metadata.note(metadata, metadata.path("managedFields"), by, kind.apiVersion(version), now());
        if (by.dryRun()) {
            return Optional.of(new Stored(after, current.version()));
        }
        String key = Shelf.key(current.namespace(), current.name());
        if (metadata.has("deletionTimestamp") && !metadata.has("finalizers")) {
            return shelf.commit(key, current, null).map(gone -> new Stored(after, current.version()));
        }
        return shelf.commit(key, current, after);
    }

    Deletion delete(Shelf shelf, String version, String namespace, String name, JsonNode preconditions,
            boolean dryRun) {
        Kind kind = shelf.kind();
        if (kind.equals(Kinds.NAMESPACES) && !dryRun) {
            shelf.get("", name);
            empty(name);
        }
        while (true) {
            Stored current = shelf.get(namespace, name);
            ObjectNode object = current.read(kind, kind.apiVersion(version));
            Update.requirePreconditions(kind, object, preconditions);
            ObjectNode metadata = Json.child(object, "metadata");
            boolean held = metadata.has("finalizers");
            if (dryRun || held && metadata.has("deletionTimestamp")) {
                return new Deletion(object, !held);
            }
            if (held) {
                mark(kind, metadata);
            }
            if (shelf.commit(Shelf.key(namespace, name), current, held ? object : null).isPresent()) {
                return new Deletion(object, !held);
            }
        }
    }

    private void mark(Kind kind, ObjectNode metadata) {
        metadata.put("deletionTimestamp", now()).put("deletionGracePeriodSeconds", 0);
        if (kind.custom()) {
            metadata.put("generation", metadata.path("generation").asLong() + 1);
        }
    }

    // What the namespace controller of a cluster does; nothing else runs here.
    private void empty(String namespace) {
        for (Shelf shelf : registry.shelves()) {
            if (shelf.kind().namespaced()) {
                for (Stored stored : shelf.snapshot(namespace, 0, "").objects()) {
                    try {
                        delete(shelf, shelf.kind().versions().getFirst(), namespace, stored.name(), Json.object(),
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
