package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;

/**
 * A pod on a Node of a group that the group's {@code NoExecute} would newly evict.
 *
 * @param tolerated how long it tolerates the taint
 */
public record Stranger(ObjectKey pod, String uid, String node, Duration tolerated) {}
