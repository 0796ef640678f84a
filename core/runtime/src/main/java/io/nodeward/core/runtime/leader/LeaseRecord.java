package io.nodeward.core.runtime.leader;

import io.nodeward.api.admission.Tree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;

/**
 * The fields of a Lease's spec that an election reads and writes.
 *
 * @param holder empty if no process holds the Lease
 * @param durationSeconds how long candidates wait for a change of the record before they take the Lease
 * @param acquireTime when the holder took it, as in JSON; no candidate decides by it, nor by the next
 * @param renewTime when the holder last renewed it
 * @param transitions how often the holder has changed
 */
record LeaseRecord(String holder, long durationSeconds, String acquireTime, String renewTime, long transitions) {
    static final Duration DURATION = Duration.ofSeconds(15);
    /** The record of a Lease without a spec. */
    static final LeaseRecord NONE = of(Tree.ABSENT);

    /** The format of a MicroTime. API servers refuse another number of digits. */
    private static final DateTimeFormatter MICRO_TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    static LeaseRecord of(Tree spec) {
        return new LeaseRecord(
                spec.at("holderIdentity").string(), spec.at("leaseDurationSeconds").integer().orElse(0),
                spec.at("acquireTime").string(), spec.at("renewTime").string(),
                spec.at("leaseTransitions").integer().orElse(0));
    }

    /** Returns the record of a new Lease. */
    static LeaseRecord created(String holder, Instant now) {
        String time = MICRO_TIME.format(now);
        return new LeaseRecord(holder, DURATION.toSeconds(), time, time, 0);
    }

    /** Returns the record after this one with which the process renews the Lease, or takes it from another. */
    LeaseRecord heldBy(String identity, Instant now) {
        boolean renews = holder.equals(identity);
        String time = MICRO_TIME.format(now);
        return new LeaseRecord(identity, DURATION.toSeconds(), renews && !acquireTime.isEmpty() ? acquireTime : time,
                time, renews ? transitions : Math.min(transitions + 1, Integer.MAX_VALUE));
    }

    /** Returns the record after this one with which the holder gives the Lease up. API servers refuse a duration of 0. */
    LeaseRecord released(Instant now) {
        String time = MICRO_TIME.format(now);
        return new LeaseRecord("", 1, time, time, transitions);
    }

    Tree spec() {
        return Tree.of(Map.of("holderIdentity", holder, "leaseDurationSeconds", durationSeconds, "acquireTime",
                acquireTime, "renewTime", renewTime, "leaseTransitions", transitions));
    }
}
