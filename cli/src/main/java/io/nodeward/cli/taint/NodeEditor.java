package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.command.DryRun;
import io.nodeward.core.rules.command.Lenience;
import io.nodeward.core.rules.command.TaintCommand;
import io.nodeward.core.rules.command.TaintEdit;
import io.nodeward.core.rules.command.TaintEdit.Operation;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import io.nodeward.core.rules.taint.TrackedTaints;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.spi.Patch;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Changes the taints of one Node after another. Each write holds on the taints it was made from, so that nobody's are
 * lost; where others were faster, the command is applied to what they wrote.
 */
record NodeEditor(LiveCluster cluster, TaintCommand command, Lenience lenience, String fieldManager) {
    /** The most tries. Each that fails is a write of another client; so many do not write to one Node. */
    private static final int MOST_TRIES = 1_000;

    /**
     * A Node as it was edited.
     *
     * @param before the Node that the edit was made from
     * @param reply the whole Node after the write; empty if nothing was sent
     */
    record Edited(Node before, TaintEdit edit, Optional<ObjectNode> reply) {}

    /** Returns the part of a Node that an edit is made from. */
    static Node node(ObjectNode tree) {
        return Snapshot.read(new Manifest(tree, ""), Projection.NODE);
    }

    /**
     * Applies the command.
     *
     * @param read the Node as it was listed; empty to read it now
     * @throws io.nodeward.core.rules.command.TaintRefusal if the command does not fit the Node
     * @throws LiveFailure if the Node is not there or not to be written, or a controller would undo the edit
     */
    Edited edit(String name, Optional<Node> read) {
        Node node = read.orElseGet(() -> read(name));
        boolean certain = false;
        for (int tries = 1;; tries++) {
            TaintEdit edit = command.edit(name, node.taints(), lenience);
            command.output().requireKnown();
            requireLasting(node, edit);
            if (command.dryRun() == DryRun.CLIENT || edit.operation() == Operation.UNCHANGED) {
                return new Edited(node, edit, Optional.empty());
            }
            try {
                ObjectNode reply = cluster.patch(LiveCluster.NODES, node.key(), patch(node, edit.taints(), certain),
                        command.dryRun() == DryRun.SERVER);
                return new Edited(node, edit, Optional.of(reply));
            } catch (LiveFailure failure) {
                if (!failure.isConflict()) {
                    throw failure;
                }
                if (tries == MOST_TRIES) {
                    throw LiveFailure.unusable("error: node/" + name + " was changed by others each time it was to be"
                            + " written, " + tries + " times",
                            "'kubectl get node " + name
                                    + " -o yaml --show-managed-fields' says who writes to it.");
                }
            }
            Node newer = read(name);
            // Refused although nothing of what was tested differs: a resourceVersion says for sure whether it does.
            certain = newer.sameState(node);
            node = newer;
        }
    }

    /** Refuses an edit that takes off or changes a taint of which the Node's annotations say that a controller keeps it there. */
    private static void requireLasting(Node node, TaintEdit edit) {
        Set<TaintId> tracked = TrackedTaints.of(node);
        node.taints().stream()
                .filter(taint -> tracked.contains(taint.id()) || DedicatedNodePlan.isManaged(node, taint.id()))
                .filter(taint -> edit.taints().stream().noneMatch(
                        after -> after.id().equals(taint.id()) && after.value().equals(taint.value())))
                .findFirst().ifPresent(taint -> {
                    String name = node.key().name();
                    throw LiveFailure.unusable("error: node/" + name + ": " + NodeFit.text(taint)
                            + " is kept by a controller, which would put back what is declared",
                            "'nodeward explain node/" + name + "' says which object declares it: change it there.");
                });
    }

    private Node read(String name) {
        return node(cluster.get(LiveCluster.NODES, new ObjectKey("", name)));
    }

    private Patch patch(Node before, List<Taint> taints, boolean certain) {
        NodeChange change = new NodeChange(before.key().name(), before.metadata().resourceVersion(),
                Optional.of(taints), Collections.unmodifiableSortedMap(new TreeMap<>()),
                Collections.unmodifiableSortedMap(new TreeMap<>()));
        return Optional.of(before).filter(node -> !certain).flatMap(node -> TestedPatch.of(node, change))
                .map(body -> Patch.json(body, fieldManager))
                .orElseGet(() -> Patch.merge(Bodies.mergePatch(change), fieldManager));
    }
}
