/** The controller beside large fleets that FakeApiServer serves: what many Nodes and many clusters take. */
@NullMarked
package io.nodeward.e2e.bench.scale;

import org.jspecify.annotations.NullMarked;
