/** Who may change the taints of Nodes: the kind that says it. */
@NullMarked
package io.nodeward.api.guard;

import org.jspecify.annotations.NullMarked;
