package io.nodeward.core.rules.node;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.Metadata;
import io.nodeward.core.rules.taint.DeclaredTaints;

/**
 * What the owner of a Node declares for it. Its taints are made ready once, so one Owner may be held for many Nodes.
 *
 * @param metadata of the owner: labels and annotations are what it declares; name, namespace and owners go into
 *     bookkeeping
 */
public record Owner(Metadata metadata, String clusterName, DeclaredTaints taints) {
    public static Owner of(Machine machine) {
        return new Owner(machine.metadata(), machine.clusterName(), DeclaredTaints.of(machine.taints()));
    }
}
