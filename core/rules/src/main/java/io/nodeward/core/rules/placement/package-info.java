/** Which Nodes a pod may be scheduled to, and what makes it leave the one it is on, as far as taints and names decide it. */
@NullMarked
package io.nodeward.core.rules.placement;

import org.jspecify.annotations.NullMarked;
