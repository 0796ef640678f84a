/** Who may change the taints of Nodes: what a NodeTaintGuard declares, as an admission policy and its binding. */
@NullMarked
package io.nodeward.controller.guard;

import org.jspecify.annotations.NullMarked;
