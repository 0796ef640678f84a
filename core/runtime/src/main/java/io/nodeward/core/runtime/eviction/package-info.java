/** Evicts pods, one after the other, as their budgets permit. */
@NullMarked
package io.nodeward.core.runtime.eviction;

import org.jspecify.annotations.NullMarked;
