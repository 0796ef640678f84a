/** What the cluster-autoscaler is told of Nodes that a node group does not have yet. */
@NullMarked
package io.nodeward.core.rules.capacity;

import org.jspecify.annotations.NullMarked;
