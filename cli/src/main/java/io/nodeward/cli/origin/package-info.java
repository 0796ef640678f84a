/** Reads from objects who declares taints for a Node, who wrote what of it, and how its kubelet was started. */
@NullMarked
package io.nodeward.cli.origin;

import org.jspecify.annotations.NullMarked;
