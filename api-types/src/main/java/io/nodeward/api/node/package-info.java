/** Nodes, their taints, and the one change Nodeward makes to them. */
@NullMarked
package io.nodeward.api.node;

import org.jspecify.annotations.NullMarked;
