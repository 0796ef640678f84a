package io.nodeward.core.rules.toleration;

import java.time.Instant;

/**
 * A taint of a device that a claim got, from its slice or from a rule.
 *
 * @param value empty if absent
 * @param effect {@code NoSchedule} or {@code NoExecute}; any other has no effect
 * @param added when it was set, which is from when tolerated time counts
 */
public record DeviceTaint(String key, String value, String effect, Instant added) {}
