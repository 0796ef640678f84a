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

    /** The removals that have been planned. */
    private final Map<Object, Planned> planned = new HashMap<>();
    /** The newest version that the last answers agree on. */
    private String newest = "";
    private long last;
    /** When the question of the answer before was asked; all before are older. */
    private long secondLast;
    private int answers;

    /** When a removal was planned for the first and for the last time. */
    private record Planned(long first, long last) {}

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
        planned.values().removeIf(removal -> asked - removal.last > FORGOTTEN.toNanos());
    }

    /**
     * Whether the removal is still to wait. One that need not wait is forgotten: planned again, it waits again.
     *
     * @param version in which its object is read
     */
    synchronized boolean holds(Object removal, String version, long now) {
        long since = first(removal, now);
        if (!version.equals(newest) || answers < 2 || secondLast - since <= 0) {
            return true;
        }
        planned.remove(removal);
        return false;
    }

    private long first(Object removal, long now) {
        return planned.merge(removal, new Planned(now, now), (before, again) -> new Planned(before.first, now)).first;
    }

    /** Returns for how long the removal, which is to wait now, has been planned. */
    synchronized Duration heldFor(Object removal, long now) {
        return Duration.ofNanos(now - first(removal, now));
    }

    /** The removal need not wait. */
    synchronized void forget(Object removal) {
        planned.remove(removal);
    }
}
