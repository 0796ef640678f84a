/** Decisions and projections alone, without any server: JMH benchmarks and the scenario that runs them. */
@NullMarked
package io.nodeward.e2e.bench.micro;

import org.jspecify.annotations.NullMarked;
