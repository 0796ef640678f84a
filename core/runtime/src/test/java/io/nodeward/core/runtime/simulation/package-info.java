/** Runs the decisions of a controller through its loop without a thread, a clock or a server: time and events are the test's. */
@NullMarked
package io.nodeward.core.runtime.simulation;

import org.jspecify.annotations.NullMarked;
