package io.nodeward.core.runtime.controller;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.util.Map;
import java.util.Optional;

/**
 * A change of an object of any kind in the cluster that the process runs against. What a body needs of apiVersion, kind,
 * name, namespace and preconditions comes from here.
 *
 * @param cache where what becomes of the object appears; empty if nobody watches it: then a conflict goes back to the queue
 */
public record ObjectUpdate(
        ObjectKind objectKind,
        ObjectKey key,
        Verb verb,
        Preconditions preconditions,
        Optional<ObjectCache<?>> cache)
        implements ObjectChange {

    /** What is done to the object. */
    public sealed interface Verb {
        /** @param content all of the object besides apiVersion, kind and key */
        record Create(Tree content) implements Verb {}

        /**
         * Server-side apply, which takes over what others manage, and creates the object unless it holds on one.
         *
         * @param content all that the field manager is to have besides apiVersion, kind and key
         */
        record Apply(Tree content) implements Verb {}

        /**
         * Server-side apply of the status of an object that exists.
         *
         * @param status all of it that the field manager is to have
         */
        record ApplyStatus(Tree status) implements Verb {}

        /** @param patch a JSON merge patch (RFC 7386) */
        record MergePatch(Tree patch) implements Verb {}

        /** @param patch a JSON patch (RFC 6902), which may have tests of its own */
        record JsonPatch(io.nodeward.api.admission.JsonPatch patch) implements Verb {}

        /** Deletes it, and its dependents as is usual for the kind. */
        record Delete() implements Verb {}
    }

    /**
     * What the change holds on.
     *
     * @param uid empty for any object
     * @param resourceVersion empty for any version
     */
    public record Preconditions(String uid, String resourceVersion) {
        public static final Preconditions NONE = new Preconditions("", "");

        /** This version of the object. */
        public static Preconditions of(Metadata found) {
            return new Preconditions(found.uid(), found.resourceVersion());
        }

        /** This object, in whatever version; of a JSON patch, a status or a deletion alone. */
        public static Preconditions uid(Metadata found) {
            return new Preconditions(found.uid(), "");
        }

        /** Whether an object that is as this says would be written. */
        public boolean holdOn(Metadata object) {
            return (uid.isEmpty() || uid.equals(object.uid()))
                    && (resourceVersion.isEmpty() || resourceVersion.equals(object.resourceVersion()));
        }
    }

    public ObjectUpdate {
        boolean uidAlone = preconditions.resourceVersion.isEmpty() && !preconditions.uid.isEmpty();
        if (uidAlone
                && (verb instanceof Verb.Create || verb instanceof Verb.Apply || verb instanceof Verb.MergePatch)) {
            throw new IllegalArgumentException("a server would take another uid in a body for a change of it: " + verb);
        }
    }

    public static ObjectUpdate create(ObjectKind kind, ObjectKey key, Tree content) {
        return of(kind, key, new Verb.Create(content), Preconditions.NONE);
    }

    public static ObjectUpdate apply(ObjectKind kind, ObjectKey key, Tree content) {
        return of(kind, key, new Verb.Apply(content), Preconditions.NONE);
    }

    /** @param found the object, in whatever version; whether another of its name is refused depends on the kind */
    public static ObjectUpdate applyStatus(ObjectKind kind, Metadata found, Tree status) {
        return of(kind, found.key(), new Verb.ApplyStatus(status), Preconditions.uid(found));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectUpdate mergePatch(ObjectKind kind, Metadata found, Tree patch) {
        return of(kind, found.key(), new Verb.MergePatch(patch), Preconditions.of(found));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectUpdate jsonPatch(
            ObjectKind kind, Metadata found, io.nodeward.api.admission.JsonPatch patch) {
        return of(kind, found.key(), new Verb.JsonPatch(patch), Preconditions.of(found));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectUpdate delete(ObjectKind kind, Metadata found) {
        return of(kind, found.key(), new Verb.Delete(), Preconditions.of(found));
    }

    private static ObjectUpdate of(ObjectKind kind, ObjectKey key, Verb verb, Preconditions preconditions) {
        return new ObjectUpdate(kind, key, verb, preconditions, Optional.empty());
    }

    public ObjectUpdate on(Preconditions others) {
        return new ObjectUpdate(objectKind, key, verb, others, cache);
    }

    /** @param objects the cache that it was planned from */
    public ObjectUpdate seenIn(ObjectCache<?> objects) {
        return new ObjectUpdate(objectKind, key, verb, preconditions, Optional.of(objects));
    }

    /** Never: who has nothing to change decides that all is in effect. */
    @Override
    public boolean isEmpty() {
        return false;
    }

    @Override
    public String kind() {
        return objectKind.kind();
    }

    @Override
    public String name() {
        return key.toString();
    }

    @Override
    public Map<String, Object> fields() {
        return Map.of();
    }

    @Override
    public String done() {
        return switch (verb) {
            case Verb.Create create -> "created";
            case Verb.Apply apply -> "applied";
            case Verb.ApplyStatus apply -> "status applied";
            case Verb.MergePatch patch -> "patched";
            case Verb.JsonPatch patch -> "patched";
            case Verb.Delete delete -> "deleted";
        };
    }

    @Override
    public Blocked refused(ApiFailure failure) {
        return Blocked.refused(kind() + "Rejected", kind() + " " + key + " was", failure);
    }

    /** The one who installs Nodeward grants the rights in this cluster; nobody else does later. */
    @Override
    public boolean reportsMissingRightAtOnce() {
        return true;
    }
}
