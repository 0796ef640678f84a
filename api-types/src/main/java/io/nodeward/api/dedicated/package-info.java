/** The kind DedicatedNodes: Nodes that belong to some pods, and the pods that may use them. */
@NullMarked
package io.nodeward.api.dedicated;

import org.jspecify.annotations.NullMarked;
