package io.nodeward.core.runtime.cluster;

/** Told how each call to a server ended; it must not block. */
interface CallObserver {
    CallObserver NONE = new CallObserver() {
        @Override
        public void answered(int status) {}

        @Override
        public void unanswered() {}
    };

    void answered(int status);

    void unanswered();
}
