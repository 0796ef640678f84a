package io.nodeward.core.rules.node;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.DeclaredTaints;
import java.util.List;
import java.util.Set;

/**
 * What the owner of a Node declares for it. Its taints are made ready once, so one Owner may be held for many Nodes.
 *
 * @param metadata of the owner: labels and annotations are what it declares; name, namespace and owners go into
 *     bookkeeping
 * @param taints declared by its spec
 * @param annotated declared by annotations besides
 */
public record Owner(Metadata metadata, String clusterName, DeclaredTaints taints, DeclaredTaints annotated) {
    public static Owner of(Machine machine) {
        return of(machine.metadata(), machine.clusterName(), machine.taints());
    }

    /** Of a pool's metadata only that of its template is meant for Nodes. */
    public static Owner of(MachinePool pool) {
        Metadata m = pool.metadata();
        Metadata declared = new Metadata(m.key(), m.uid(), m.resourceVersion(), pool.template().labels(),
                pool.template().annotations(), m.owners(), m.deleting());
        return of(declared, pool.clusterName(), pool.template().taints());
    }

    /** The same, but of the taints for initialization only these; see {@code InitialTaints}. */
    public Owner again(Set<TaintId> once) {
        return new Owner(metadata, clusterName, taints.again(once), annotated.again(once));
    }

    /** Returns the same owner, which may declare more taints than were read. */
    Owner asIncomplete() {
        return new Owner(metadata, clusterName, taints, annotated.asIncomplete());
    }

    /** @param taints declared by its spec; those declared by annotation are in its metadata */
    public static Owner of(Metadata metadata, String clusterName, List<MachineTaint> taints) {
        DeclaredTaints declared = DeclaredTaints.of(taints);
        return new Owner(metadata, clusterName, declared, DeclaredTaints.annotated(metadata.annotations(), declared));
    }
}
