/** Keys that need work: each waits once and is handed out to one worker at a time. */
@NullMarked
package io.nodeward.core.runtime.queue;

import org.jspecify.annotations.NullMarked;
