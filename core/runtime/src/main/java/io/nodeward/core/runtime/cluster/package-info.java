/** API servers as controllers see them: a typed view of what is there, and "apply this change". */
@NullMarked
package io.nodeward.core.runtime.cluster;

import org.jspecify.annotations.NullMarked;
