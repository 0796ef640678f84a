package io.nodeward.core.runtime.cluster;

/** Told how each call to a server ended; it must not block. */
interface RequestObserver {
    RequestObserver NONE = new RequestObserver() {
        @Override
        public void answered(int status) {}

        @Override
        public void unanswered() {}
    };

    void answered(int status);

    void unanswered();
}
