package io.nodeward.core.runtime.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Removals of taints that wait until it is sure that their objects are read in the newest version that the group serves: an
 * older version may lack the field that declares the taints. Another controller that reads the newer version may have
 * written at any time, so that only discovery that is asked after a removal was planned proves that there is no newer version.
 */
final class HeldRemovals {
    /** Discovery of one moment may be wrong: an answer counts as another one only after this. */
    private static final Duration APART = Duration.ofSeconds(10);
    /** A removal that is planned no more is forgotten after this. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(10);

    /** When each removal was planned first. */
    private final Map<Object, Long> planned = new HashMap<>();
    /** The newest version that the last answers agree on. */
    private String newest = "";
    private long last;
    /** When the question of the answer before was asked; all before are older. */
    private long secondLast;
    private int answers;

    /**
     * Takes an answer of discovery.
     *
     * @param version the newest that the group serves
     * @param asked when
     */
    synchronized void discovered(String version, long asked) {
        if (!version.equals(newest)) {
            newest = version;
            answers = 0;
        }
        if (answers == 0 || asked - last >= APART.toNanos()) {
            secondLast = last;
            last = asked;
            answers++;
        }
        planned.values().removeIf(since -> asked - since > FORGOTTEN.toNanos());
    }

    /**
     * Whether the removal is still to wait. One that need not wait is forgotten: planned again, it waits again.
     *
     * @param version in which its object is read
     */
    synchronized boolean holds(Object removal, String version, long now) {
        long since = planned.computeIfAbsent(removal, first -> now);
        if (!version.equals(newest) || answers < 2 || secondLast - since <= 0) {
            return true;
        }
        planned.remove(removal);
        return false;
    }
}
