package io.nodeward.core.runtime.controller;

/** A controller that watches, and works on one key at a time when a test asks it to, on the thread of the test. */
public final class SteppedLoop {
    private final ReconcileLoop<?> loop;

    /** @param loop that is not started */
    public SteppedLoop(ReconcileLoop<?> loop) {
        this.loop = loop;
        loop.subscribe();
    }

    /** Returns whether there was a key to work on. */
    public boolean runOnce() {
        return loop.runOnce();
    }

    public void retire() {
        loop.retire();
    }
}
