package io.nodeward.core.runtime.controller;

import io.nodeward.core.spi.ApiFailure;

/** Sends changes of objects. All controllers of a process have the same one. */
@FunctionalInterface
public interface ObjectWriter {
    /**
     * Makes the change in one request, which is refused if the object is not what the change holds on. On a conflict it
     * returns when a newer object is in the cache.
     *
     * @param fieldManager of the controller
     * @param again whether the change before this one met a conflict; then it holds on the resourceVersion
     * @throws ApiFailure if the change was not made for any other reason, or no newer object came after a conflict
     */
    Applied apply(ObjectChange change, String fieldManager, boolean again);
}
