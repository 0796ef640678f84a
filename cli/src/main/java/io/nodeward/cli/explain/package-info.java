/** Why Nodes bear their taints, why pods are kept off them, and what of a Cluster's declarations has arrived where. */
@NullMarked
package io.nodeward.cli.explain;

import org.jspecify.annotations.NullMarked;
