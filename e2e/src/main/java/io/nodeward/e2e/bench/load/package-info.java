/** What a bench run works on and measures with: a fleet on a real control plane, load, an observer, counters. */
@NullMarked
package io.nodeward.e2e.bench.load;

import org.jspecify.annotations.NullMarked;
