package io.nodeward.core.testkit;

/** How much of the heap is in use by what can still be reached, above what was when this was made. */
final class LiveHeap {
    private final long before = used();
    private long most;

    /** Measures now. */
    void sample() {
        most = Math.max(most, used() - before);
    }

    /** The most that any sample found, in bytes. */
    long most() {
        return most;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
