package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.pod.EvictionMode;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What a DedicatedNodes declares: one group of Nodes.
 *
 * @param who may use the Nodes
 * @param exclusive whether these pods use no other Nodes
 * @param shared whether the group has the Nodes that no other group has, for the pods that no other group has
 * @param confirmedPods how many pods may be evicted; empty if nobody confirmed any number, which is as 0
 * @param eviction how {@code NoExecute} evicts these pods
 */
public record DedicatedNodesSpec(
        SelectedNodes nodes,
        DedicatedTaint taint,
        Who who,
        boolean exclusive,
        boolean shared,
        EnforcementMode enforcement,
        OptionalLong confirmedPods,
        EvictionMode eviction) {

    /** Of a spec, whatever it holds: what is missing or of another type has the value that changes the least. */
    public static DedicatedNodesSpec of(Tree spec) {
        return new DedicatedNodesSpec(
                SelectedNodes.of(spec.at("nodes")),
                DedicatedTaint.of(spec.at("taint")),
                Who.of(spec.at("who")),
                isTrue(spec.at("exclusive")),
                isTrue(spec.at("shared")),
                EnforcementMode.of(spec.at("enforcement")),
                spec.at("confirmedPods").integer(),
                EvictionMode.of(spec));
    }

    /** As it is written: {@link #of} reads the same from it. */
    public Tree tree() {
        return Texts.fields(Map.of(
                "nodes", nodes.tree(),
                "taint", taint.tree(),
                "who", who.tree(),
                "exclusive", Tree.of(exclusive),
                "shared", Tree.of(shared),
                "enforcement", Tree.of(enforcement.name()),
                "confirmedPods", number(confirmedPods),
                "eviction", eviction.equals(EvictionMode.DEFAULT) ? Tree.ABSENT : Tree.of(eviction.name()),
                "deadlineSeconds", number(eviction.deadlineSeconds())));
    }

    private static Tree number(OptionalLong value) {
        return value.isPresent() ? Tree.of(value.getAsLong()) : Tree.ABSENT;
    }

    public DedicatedNodesSpec withEnforcement(EnforcementMode mode) {
        return new DedicatedNodesSpec(nodes, taint, who, exclusive, shared, mode, confirmedPods, eviction);
    }

    /** Whether it has the same Nodes, taint and pods: how many are evicted, and how, may differ. */
    public boolean declaresAs(DedicatedNodesSpec other) {
        return equals(new DedicatedNodesSpec(other.nodes, other.taint, other.who, other.exclusive, other.shared,
                other.enforcement, confirmedPods, eviction));
    }

    private static boolean isTrue(Tree value) {
        return value instanceof Tree.Other(String word, String text) && text.equals("true");
    }
}
