package io.nodeward.core.runtime.controller;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.List;
import java.util.Optional;

/** What a change does to its object. */
public sealed interface Verb {
    /** What it leaves behind. */
    enum Effect {
        /** The object, which must not be there before. */
        CREATES,
        /** The object, as the change says. */
        CHANGES,
        /** None, or one that is being deleted. */
        DELETES
    }

    /** What it means that the object, or the namespace that it is to be in, is not found. */
    enum Missing {
        /** Nothing is left to do. */
        DONE,
        /** The object has gone since the change was planned. */
        OUTDATED,
        /** The change is refused. */
        REFUSED
    }

    /**
     * What others ask of every change.
     *
     * @param done what has been done once it is made, for logs
     * @param missing of a whole object; of a part nothing is left to do, whatever the verb
     * @param holdsOnUid whether it can hold on the uid without a resourceVersion: a server would take another uid in a body
     *     for a change of it
     */
    record Traits(String done, Effect effect, Missing missing, boolean holdsOnUid) {
        private static final Traits NONE = new Traits("left as it is", Effect.CHANGES, Missing.DONE, true);
        private static final Traits PATCH_NODE = new Traits("patched", Effect.CHANGES, Missing.DONE, true);
        private static final Traits CREATE = new Traits("created", Effect.CREATES, Missing.REFUSED, false);
        private static final Traits APPLY = new Traits("applied", Effect.CHANGES, Missing.REFUSED, false);
        private static final Traits APPLY_STATUS = new Traits("status applied", Effect.CHANGES, Missing.DONE, true);
        private static final Traits MERGE_PATCH = new Traits("patched", Effect.CHANGES, Missing.OUTDATED, false);
        private static final Traits JSON_PATCH = new Traits("patched", Effect.CHANGES, Missing.OUTDATED, true);
        private static final Traits DELETE = new Traits("deleted", Effect.DELETES, Missing.DONE, true);
    }

    default Traits traits() {
        return switch (this) {
            case None none -> Traits.NONE;
            case PatchNode patch -> Traits.PATCH_NODE;
            case Create create -> Traits.CREATE;
            case Apply apply -> Traits.APPLY;
            case ApplyStatus apply -> Traits.APPLY_STATUS;
            case MergePatch patch -> Traits.MERGE_PATCH;
            case JsonPatch patch -> Traits.JSON_PATCH;
            case Delete delete -> Traits.DELETE;
        };
    }

    /** The object is as it should be. */
    record None() implements Verb {}

    /**
     * Changes a Node, whatever else others write to it meanwhile.
     *
     * @param nodes the cache that it was planned from; it holds what has become of the Node before the watch brings it back,
     *     and its listeners do not hear of own writes. Empty if the connection to its cluster has it
     * @param before what the change was planned from
     * @param plannedFrom annotations that decided the change, present or not: it holds on their values
     */
    record PatchNode(Optional<ObjectCache<Node>> nodes, Node before, NodeChange change, List<String> plannedFrom)
            implements Verb {
        public PatchNode {
            plannedFrom = List.copyOf(plannedFrom);
        }

        public PatchNode seenIn(ObjectCache<Node> cache) {
            return new PatchNode(Optional.of(cache), before, change, plannedFrom);
        }
    }

    /** @param content all of the object besides apiVersion, kind and key */
    record Create(Tree content) implements Verb {}

    /**
     * Server-side apply, which creates the object unless it holds on one.
     *
     * @param content all that the field manager is to have besides apiVersion, kind and key
     * @param force whether it takes over what others manage
     */
    record Apply(Tree content, boolean force) implements Verb {}

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

    /**
     * Deletes it, and its dependents as is usual for the kind.
     *
     * @param asksBudgets whether the server asks the PodDisruptionBudgets of the object, a pod, and leaves it if they do not permit that
     */
    record Delete(boolean asksBudgets) implements Verb {
        public Delete() {
            this(false);
        }
    }
}
