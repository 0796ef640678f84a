/** Why a Node has the taints it has, and why it does not have others that are declared for it. */
@NullMarked
package io.nodeward.core.rules.origin;

import org.jspecify.annotations.NullMarked;
