/** What a NodeTaintGuard comes to: its faults, and the admission policy that enforces it. */
@NullMarked
package io.nodeward.core.rules.guard;

import org.jspecify.annotations.NullMarked;
