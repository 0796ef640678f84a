package io.nodeward.controller.machinepool;

import io.nodeward.core.rules.node.NodePolicy;

/** What of a pool is carried to its Nodes; controllers have policies of their own. */
record PoolPolicy(NodePolicy nodes) {}
