package com.example.nodequota;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;

/**
 * The spec of a NodeQuota.
 *
 * @param label as {@code key=value}
 * @param nodes how many Nodes may have it
 */
record NodeQuota(String label, long nodes) {
    static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("examples.nodeward.io", "v1alpha1", "NodeQuota", "nodequotas", false);
    static final Projection<CustomResource<NodeQuota>> PROJECTION =
            Projection.customResource(Shape.WHOLE, NodeQuota::of);

    /** Of a spec, as it is watched and as the webhook gets it; a number that is missing is below any that is allowed. */
    static NodeQuota of(Tree spec) {
        return new NodeQuota(spec.at("label").string(), spec.at("nodes").integer().orElse(-1));
    }
}
