/** Keeps the annotations from which the cluster-autoscaler knows what the Nodes of a group at zero would bear. */
@NullMarked
package io.nodeward.autoscaler.adapter;

import org.jspecify.annotations.NullMarked;
