package io.nodeward.core.runtime.controller;

import io.nodeward.core.spi.ApiFailure;

/** Sends changes of objects. */
@FunctionalInterface
public interface ObjectWriter {
    /**
     * Makes the change in one request that holds only as long as what it was planned from is on the object. On a conflict
     * it returns when a newer object is in the cache.
     *
     * @param again whether the change before this one met a conflict; then it holds on the resourceVersion
     * @throws ApiFailure for anything but a conflict or a missing object
     */
    Applied apply(ObjectChange change, String fieldManager, boolean again);
}
