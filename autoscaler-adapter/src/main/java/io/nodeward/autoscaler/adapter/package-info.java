/** Keeps the annotations that tell the cluster-autoscaler which taints and labels new Nodes of a node group will have. */
@NullMarked
package io.nodeward.autoscaler.adapter;

import org.jspecify.annotations.NullMarked;
