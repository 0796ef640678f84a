package io.nodeward.core.runtime.controller;

import java.time.Duration;

/**
 * How often a controller writes what somebody else keeps undoing.
 *
 * @param writes for one declaration within the window
 */
public record WriteLimits(int writes, Duration window) {
    static final WriteLimits DEFAULT = new WriteLimits(20, Duration.ofMinutes(1));

    /** {@code 20 writes in a minute}. */
    @Override
    public String toString() {
        long minutes = window.toMinutes();
        return writes + " writes in " + (minutes == 1 ? "a minute" : minutes + " minutes");
    }
}
