package io.nodeward.core.testkit;

/** How much of the heap is in use by what can still be reached, above what was when this was made. */
public final class LiveHeap {
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

    /** What is in use once collecting finds nothing more: what others let go of must not count. */
    public static long settled() {
        long before = Long.MAX_VALUE;
        for (long now = used(); now < before; now = used()) {
            before = now;
        }
        return before;
    }

    private static long used() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
