/** Which Nodes and pods belong together, and what that changes on them. */
@NullMarked
package io.nodeward.core.rules.dedicated;

import org.jspecify.annotations.NullMarked;
