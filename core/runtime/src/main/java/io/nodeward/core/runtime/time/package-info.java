/** Waiting: timers, jitter, back-off. */
@NullMarked
package io.nodeward.core.runtime.time;

import org.jspecify.annotations.NullMarked;
