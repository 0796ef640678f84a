/** Gives the Nodes of a MachinePool without Machines what the pool declares. Decisions are in core/rules; this moves them. */
@NullMarked
package io.nodeward.controller.machinepool;

import org.jspecify.annotations.NullMarked;
