package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;

/**
 * A change of a Node in a workload cluster.
 *
 * @param cluster key of the Cluster in the management cluster
 */
public record NodeUpdate(ObjectKey cluster, Node before, NodeChange change) implements NodeWrite {}
