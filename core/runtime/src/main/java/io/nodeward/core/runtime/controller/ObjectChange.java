package io.nodeward.core.runtime.controller;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of one object. It holds on what it was planned from: the version, unless it says less. What a body needs of
 * apiVersion, kind, name, namespace and preconditions comes from here.
 *
 * @param cluster key of the Cluster that the Node is in; empty in the cluster that the process runs against
 * @param seen where what becomes of the object appears; empty if nobody watches it: then a conflict goes back to the queue
 * @param manager the field manager, if it is another than the controller's
 * @param changed what changes, by the names that logs have for it
 */
public record ObjectChange(
        Optional<ObjectKey> cluster,
        ObjectKind objectKind,
        ObjectKey key,
        Verb verb,
        Preconditions preconditions,
        Optional<Seen> seen,
        Optional<String> manager,
        Part part,
        Map<String, Object> changed) {
    private static final ObjectKind NODE = new ObjectKind("", "v1", "Node", "nodes", false);

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

    /**
     * The cache that a change was planned from.
     *
     * @param own has the cache hold at once what the change has made; empty where the watch brings it
     */
    public record Seen(ObjectCache<?> cache, Optional<OwnWrite> own) {}

    /** Has a cache hold what a change has made, before the watch brings it back. */
    @FunctionalInterface
    public interface OwnWrite {
        /**
         * @param reply of the server, which has metadata alone
         * @throws IOException if it is no reply to this change
         */
        void hold(byte[] reply) throws IOException;
    }

    public ObjectChange {
        boolean uidAlone = preconditions.resourceVersion.isEmpty() && !preconditions.uid.isEmpty();
        if (uidAlone && !verb.traits().holdsOnUid()) {
            throw new IllegalArgumentException("a server would take another uid in a body for a change of it: " + verb);
        }
        if (verb instanceof Verb.PatchNode patch && (seen.isPresent() || !preconditions.resourceVersion.isEmpty()
                || !preconditions.uid.equals(patch.before().metadata().uid()))) {
            throw new IllegalArgumentException("PatchNode itself says where it is seen and what it holds on: " + key);
        }
    }

    /**
     * Of a Node in a workload cluster.
     *
     * @param cluster key of the Cluster in the management cluster
     */
    public static ObjectChange node(ObjectKey cluster, Node before, NodeChange change) {
        return node(Optional.of(cluster),
                new Verb.PatchNode(Optional.empty(), before, change, NodeChange.PLANNED_FROM));
    }

    /** Of a Node in the cluster that the process runs against. */
    public static ObjectChange homeNode(
            ObjectCache<Node> nodes, Node before, NodeChange change, List<String> plannedFrom) {
        return node(Optional.empty(), new Verb.PatchNode(Optional.of(nodes), before, change, plannedFrom));
    }

    private static ObjectChange node(Optional<ObjectKey> cluster, Verb.PatchNode patch) {
        Node before = patch.before();
        return new ObjectChange(cluster, NODE, before.key(), patch, Preconditions.uid(before.metadata()),
                Optional.empty(), Optional.empty(), Part.NODE, Map.of());
    }

    public static ObjectChange create(ObjectKind kind, ObjectKey key, Tree content) {
        return of(kind, key, new Verb.Create(content), Preconditions.NONE);
    }

    /** Takes over what others manage. */
    public static ObjectChange apply(ObjectKind kind, ObjectKey key, Tree content) {
        return of(kind, key, new Verb.Apply(content, true), Preconditions.NONE);
    }

    /** @param found the object, in whatever version; whether another of its name is refused depends on the kind */
    public static ObjectChange applyStatus(ObjectKind kind, Metadata found, Tree status) {
        return of(kind, found.key(), new Verb.ApplyStatus(status), Preconditions.uid(found));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectChange mergePatch(ObjectKind kind, Metadata found, Tree patch) {
        return of(kind, found, new Verb.MergePatch(patch));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectChange jsonPatch(
            ObjectKind kind, Metadata found, io.nodeward.api.admission.JsonPatch patch) {
        return of(kind, found, new Verb.JsonPatch(patch));
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectChange delete(ObjectKind kind, Metadata found) {
        return of(kind, found, new Verb.Delete());
    }

    /** @param found the version that it was planned from, and holds on */
    public static ObjectChange of(ObjectKind kind, Metadata found, Verb verb) {
        return of(kind, found.key(), verb, Preconditions.of(found));
    }

    private static ObjectChange of(ObjectKind kind, ObjectKey key, Verb verb, Preconditions preconditions) {
        return new ObjectChange(Optional.empty(), kind, key, verb, preconditions, Optional.empty(), Optional.empty(),
                Part.WHOLE, Map.of());
    }

    public ObjectChange on(Preconditions others) {
        return new ObjectChange(cluster, objectKind, key, verb, others, seen, manager, part, changed);
    }

    /** @param objects the cache that it was planned from */
    public ObjectChange seenIn(ObjectCache<?> objects) {
        return seen(new Seen(objects, Optional.empty()));
    }

    /** As above; the cache holds at once what the change has made. */
    public ObjectChange heldIn(ObjectCache<?> objects, OwnWrite own) {
        return seen(new Seen(objects, Optional.of(own)));
    }

    private ObjectChange seen(Seen in) {
        return new ObjectChange(
                cluster, objectKind, key, verb, preconditions, Optional.of(in), manager, part, changed);
    }

    /** @param other field manager, of which one controller may have several */
    public ObjectChange by(String other) {
        return new ObjectChange(
                cluster, objectKind, key, verb, preconditions, seen, Optional.of(other), part, changed);
    }

    public ObjectChange with(Verb other) {
        return new ObjectChange(cluster, objectKind, key, other, preconditions, seen, manager, part, changed);
    }

    /** @param what changes of it, by the names that logs have for it */
    public ObjectChange of(Part other, Map<String, Object> what) {
        return new ObjectChange(cluster, objectKind, key, verb, preconditions, seen, manager, other, what);
    }

    /** What it means that the object is not found. What the verb says is of a whole object; of a part, see {@link Part}. */
    public Verb.Missing missing() {
        return part == Part.WHOLE ? verb.traits().missing() : Verb.Missing.DONE;
    }

    /** Whether the object is as it should be: then no request is due. */
    public boolean isEmpty() {
        return verb instanceof Verb.None || verb instanceof Verb.PatchNode patch && patch.change().isEmpty();
    }

    public String kind() {
        return objectKind.kind();
    }

    /** Its kind and key, for texts. */
    public String object() {
        return kind() + " " + key;
    }

    /** What changes, by the names that logs have for it. */
    public Map<String, Object> fields() {
        if (!(verb instanceof Verb.PatchNode patch)) {
            return changed;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("taints", patch.change().taints().isPresent());
        fields.put("labels", patch.change().labels().keySet());
        fields.put("annotations", patch.change().annotations().keySet());
        return fields;
    }

    /** What has been done once it is made, for logs. */
    public String done() {
        return switch (part) {
            case NODE, DECLARED_TAINTS -> "propagated";
            case ANNOTATIONS -> "advertised";
            case WHOLE -> verb.traits().done();
        };
    }

    /** What to report when the API server refuses the change. */
    public Blocked refused(ApiFailure failure) {
        return switch (part) {
            case DECLARED_TAINTS -> Blocked.refused(Reason.TAINTS_REJECTED, "the write was", failure);
            case ANNOTATIONS -> Blocked.refused(Reason.CAPACITY_REFUSED, "annotations were", failure);
            case NODE, WHOLE -> Blocked.refused(kind() + "Rejected", object() + " was", failure);
        };
    }

    /**
     * What to report when somebody else keeps undoing the change.
     *
     * @param message says so, without the object
     */
    public Blocked undone(String message) {
        return new Blocked(Reason.DRIFT_RECURRING,
                (part == Part.DECLARED_TAINTS ? "" : object() + ": ") + message);
    }
}
