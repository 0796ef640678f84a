/** Leader election by a Lease: of several processes, one leads. */
@NullMarked
package io.nodeward.core.runtime.leader;

import org.jspecify.annotations.NullMarked;
