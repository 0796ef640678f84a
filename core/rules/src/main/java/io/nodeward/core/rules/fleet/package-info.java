/** Decides whose is what: which Node belongs to which Machine or MachinePool, who made an object, and what is paused. */
@NullMarked
package io.nodeward.core.rules.fleet;

import org.jspecify.annotations.NullMarked;
