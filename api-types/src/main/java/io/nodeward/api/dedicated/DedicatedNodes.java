package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import java.util.Optional;

/**
 * What is read of a DedicatedNodes.
 *
 * @param applied the spec that was last in force, from the status; empty if none is
 */
public record DedicatedNodes(DedicatedNodesSpec spec, Optional<DedicatedNodesSpec> applied) {
    public static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("nodeward.io", "v1alpha1", "DedicatedNodes", "dedicatednodes", false);
    /** Of the status, the field that has the spec that was last in force. */
    public static final String APPLIED = "applied";
    /** The type of the condition that says why the spec is not in force, or which other groups contradict it. */
    public static final String CONFLICT = "Conflict";
    public static final Projection<CustomResource<DedicatedNodes>> PROJECTION =
            Projection.customResource(Shape.WHOLE, DedicatedNodes::of);

    /** Of both parts as they are watched. */
    public static DedicatedNodes of(Tree spec, Tree status) {
        Tree applied = status.at(APPLIED);
        return new DedicatedNodes(DedicatedNodesSpec.of(spec),
                applied instanceof Tree.Fields ? Optional.of(DedicatedNodesSpec.of(applied)) : Optional.empty());
    }
}
