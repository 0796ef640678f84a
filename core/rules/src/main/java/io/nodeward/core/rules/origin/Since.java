package io.nodeward.core.rules.origin;

import java.time.Instant;

/**
 * Since when a taint has been there.
 *
 * @param exact whether it is since then; else since then at the latest
 */
public record Since(Instant at, boolean exact) {}
