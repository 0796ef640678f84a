package io.nodeward.core.rules.node;

import io.nodeward.core.rules.taint.Initialization;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What of an owner is carried to its Nodes. Decided once, by who wires a controller from gates and flags.
 *
 * @param propagatesTaints the gate MachineTaintPropagation; without it declared taints and the tracking annotations
 *     are neither read nor written
 * @param initialization until when a Node gets taints that are declared for its initialization alone
 * @param removesUninitialized whether the initialization taint goes in the write that brings everything else
 * @param syncsMetadata whether labels and annotations are carried
 * @param keepsBookkeeping whether the five annotations that name a Node's Cluster, Machine and owner are kept; off
 *     while an upstream manager keeps them
 * @param labels additional patterns, found anywhere in a label's key
 * @param annotations likewise for annotations
 */
public record NodePolicy(
        boolean propagatesTaints,
        Initialization initialization,
        boolean removesUninitialized,
        boolean syncsMetadata,
        boolean keepsBookkeeping,
        List<Pattern> labels,
        List<Pattern> annotations) {

    public NodePolicy {
        labels = List.copyOf(labels);
        annotations = List.copyOf(annotations);
    }

    /** Machines: taints, labels and annotations are carried and the initialization taint is removed. */
    public static NodePolicy forMachines() {
        return new NodePolicy(true, Initialization.WHEN_UNTRACKED, true, true, false, List.of(), List.of());
    }

    /** MachinePools: taints only; removing the initialization taint is left to the Machine controller. */
    public static NodePolicy forMachinePools() {
        return new NodePolicy(true, Initialization.WHEN_UNTRACKED, false, false, false, List.of(), List.of());
    }

    public NodePolicy withTaints(boolean propagated) {
        return new NodePolicy(propagated, initialization, removesUninitialized, syncsMetadata, keepsBookkeeping, labels,
                annotations);
    }

    public NodePolicy withInitialization(Initialization when) {
        return new NodePolicy(
                propagatesTaints, when, removesUninitialized, syncsMetadata, keepsBookkeeping, labels, annotations);
    }

    public NodePolicy withUninitializedRemoved(boolean removed) {
        return new NodePolicy(
                propagatesTaints, initialization, removed, syncsMetadata, keepsBookkeeping, labels, annotations);
    }

    public NodePolicy withMetadata(boolean synced) {
        return new NodePolicy(
                propagatesTaints, initialization, removesUninitialized, synced, keepsBookkeeping, labels, annotations);
    }

    public NodePolicy withBookkeeping(boolean kept) {
        return new NodePolicy(propagatesTaints, initialization, removesUninitialized, syncsMetadata, kept, labels,
                annotations);
    }

    public NodePolicy withAdditional(List<Pattern> labelKeys, List<Pattern> annotationKeys) {
        return new NodePolicy(
                propagatesTaints, initialization, removesUninitialized, syncsMetadata, keepsBookkeeping, labelKeys,
                annotationKeys);
    }
}
