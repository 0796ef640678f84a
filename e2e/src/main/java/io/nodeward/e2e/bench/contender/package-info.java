/** Who is measured: the controllers as processes, started as their users start them. */
@NullMarked
package io.nodeward.e2e.bench.contender;

import org.jspecify.annotations.NullMarked;
