/**
 * Which taints a topology, a deployment, a set or a pool of machines declares for what is below it, and what of it is
 * ours to write there.
 */
@NullMarked
package io.nodeward.core.rules.topology;

import org.jspecify.annotations.NullMarked;
