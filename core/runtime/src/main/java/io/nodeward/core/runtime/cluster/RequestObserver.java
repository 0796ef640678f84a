package io.nodeward.core.runtime.cluster;

/** Told how each call to a server ended; it must not block. */
interface RequestObserver {
    RequestObserver NONE = new RequestObserver() {
    };

    default void answered(int status) {}

    default void unanswered() {}
}
