/**
 * When a controller under test has seen all that was done and has nothing left to do: so that a test that says "nothing
 * was written" can say no. Promise: experimental.
 */
@NullMarked
package io.nodeward.core.testkit.quiet;

import org.jspecify.annotations.NullMarked;
