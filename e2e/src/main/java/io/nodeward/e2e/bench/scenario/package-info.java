/** The kinds of work, one class each. */
@NullMarked
package io.nodeward.e2e.bench.scenario;

import org.jspecify.annotations.NullMarked;
