/** Keys that need work, and the workers that do it: one key at a time, in order, retried with back-off. */
@NullMarked
package io.nodeward.core.runtime.queue;

import org.jspecify.annotations.NullMarked;
