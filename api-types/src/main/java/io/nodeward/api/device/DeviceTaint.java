package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import java.time.Instant;

/**
 * A taint of a device, from its slice or from a rule.
 *
 * @param value empty if absent
 * @param effect {@code NoSchedule} or {@code NoExecute}; any other has no effect
 * @param added when it was set, which is from when tolerated time counts
 */
public record DeviceTaint(String key, String value, String effect, Instant added) {
    private static final int LONGEST_KEY = 317;
    private static final int LONGEST = 63;

    /** Reads a taint of a slice. An API server sets the time of each; one that is missing or no time counts as long ago. */
    static DeviceTaint of(Tree taint) {
        return new DeviceTaint(taint.at("key").string(), taint.at("value").string(), taint.at("effect").string(),
                RuleTaint.time(taint.at("timeAdded").string()).orElse(Instant.EPOCH));
    }

    /** Returns the same, whenever it was added. */
    public DeviceTaint timeless() {
        return new DeviceTaint(key, value, effect, Instant.EPOCH);
    }

    /** Returns whether its texts are as short as API servers demand, so that a status can show them. */
    boolean isShort() {
        return key.length() <= LONGEST_KEY && value.length() <= LONGEST && effect.length() <= LONGEST;
    }
}
