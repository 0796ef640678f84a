/** What a change of taints does to pods. */
@NullMarked
package io.nodeward.core.rules.impact;

import org.jspecify.annotations.NullMarked;
