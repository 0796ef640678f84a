/** Why Nodes have their taints, why pods are not schedulable on them, and what of a Cluster's declarations has arrived where. */
@NullMarked
package io.nodeward.cli.explain;

import org.jspecify.annotations.NullMarked;
