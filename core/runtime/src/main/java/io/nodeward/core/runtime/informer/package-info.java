/** One watch for each kind, scope and selector of a server, shared by all who read it. */
@NullMarked
package io.nodeward.core.runtime.informer;

import org.jspecify.annotations.NullMarked;
