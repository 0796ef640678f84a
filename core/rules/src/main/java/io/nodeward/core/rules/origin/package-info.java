/** Why a Node bears the taints it bears, and why it does not bear others that are declared for it. */
@NullMarked
package io.nodeward.core.rules.origin;

import org.jspecify.annotations.NullMarked;
