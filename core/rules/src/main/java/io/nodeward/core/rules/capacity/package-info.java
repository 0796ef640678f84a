/** What is advertised to the cluster-autoscaler of Nodes that a node group does not have yet. */
@NullMarked
package io.nodeward.core.rules.capacity;

import org.jspecify.annotations.NullMarked;
