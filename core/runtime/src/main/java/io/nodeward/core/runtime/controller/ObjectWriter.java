package io.nodeward.core.runtime.controller;

import io.nodeward.core.spi.ApiFailure;

/** Sends changes of objects, of whatever kind a change is. All controllers of a process have the same one. */
@FunctionalInterface
public interface ObjectWriter {
    /**
     * Makes the change in one request, which is refused if the object is not what the change holds on. On a conflict it
     * returns when a newer object is in the cache.
     *
     * @param again whether the change before this one met a conflict; then it holds on the resourceVersion
     * @throws ApiFailure if the change was not made for any other reason, or no newer object came after a conflict
     */
    Applied apply(ObjectChange change, String fieldManager, boolean again);

    /**
     * Sends changes of one kind.
     *
     * @param <C> the kind of changes
     */
    @FunctionalInterface
    interface Of<C extends ObjectChange> {
        /** See {@link ObjectWriter#apply}. */
        Applied apply(C change, String fieldManager, boolean again);
    }

    /** Gives each change to the writer of its kind. */
    static ObjectWriter of(
            Of<NodeUpdate> nodes,
            Of<HomeNodeUpdate> homeNodes,
            Of<AnnotationUpdate> annotations,
            Of<TaintListUpdate> taints,
            Of<ObjectUpdate> objects) {
        return (change, fieldManager, again) -> switch (change) {
            case NodeUpdate update -> nodes.apply(update, fieldManager, again);
            case HomeNodeUpdate update -> homeNodes.apply(update, fieldManager, again);
            case AnnotationUpdate update -> annotations.apply(update, fieldManager, again);
            case TaintListUpdate update -> taints.apply(update, fieldManager, again);
            case ObjectUpdate update -> objects.apply(update, fieldManager, again);
        };
    }
}
