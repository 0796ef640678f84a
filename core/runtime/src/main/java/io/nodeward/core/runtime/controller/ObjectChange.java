package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.util.Map;

/** A change of one object. It holds on what it was planned from: the version, unless it says less. */
public sealed interface ObjectChange permits NodeWrite, AnnotationUpdate, TaintListUpdate, ObjectUpdate {
    /** Whether the object is as it should be: then no request is due. */
    boolean isEmpty();

    /** {@code Node}, for example. */
    String kind();

    String name();

    /** What changes, by the names that logs have for it. */
    Map<String, Object> fields();

    /** What has been done once it is made, for logs. */
    default String done() {
        return "propagated";
    }

    /** What to report when the API server refuses the change. */
    Blocked refused(ApiFailure failure);

    /** Whether a missing right is reported at once; else only if it lasts, because it may be granted by itself. */
    default boolean reportsMissingRightAtOnce() {
        return false;
    }

    /**
     * What to report when somebody else keeps undoing the change.
     *
     * @param message says so, without the object
     */
    default Blocked undone(String message) {
        return new Blocked("DriftRecurring", kind() + " " + name() + ": " + message);
    }
}
