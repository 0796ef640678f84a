package io.nodeward.api.device;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.pod.EvictionMode;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a DeviceTaintRule of Nodeward declares; Kubernetes has a kind of the same name in a group of its own.
 *
 * @param selector of the devices that get the taint; without one no device gets it
 * @param confirmedPods a rule that selects every device evicts none while more pods than these are to be evicted; empty if
 *     it is not set
 * @param eviction how its pods are evicted
 */
public record DeviceTaintRule(
        Optional<DeviceTaintSelector> selector, RuleTaint taint, OptionalLong confirmedPods, EvictionMode eviction) {
    public static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("nodeward.io", "v1alpha1", "DeviceTaintRule", "devicetaintrules", false);
    public static final Projection<CustomResource<DeviceTaintRule>> PROJECTION =
            Projection.customResource(Shape.WHOLE, DeviceTaintRule::of);

    /** Annotation: when the controller deletes the rule, as in RFC 3339. */
    public static final String EXPIRES = "nodeward.io/expires";

    /** Of which nobody has confirmed anything. */
    public DeviceTaintRule(Optional<DeviceTaintSelector> selector, RuleTaint taint) {
        this(selector, taint, OptionalLong.empty(), EvictionMode.DEFAULT);
    }

    /** Of a spec, whatever it holds: what is of another type selects no device. */
    public static DeviceTaintRule of(Tree spec) {
        return new DeviceTaintRule(DeviceTaintSelector.of(spec.at("deviceSelector")), RuleTaint.of(spec.at("taint")),
                spec.at("confirmedPods").integer(), EvictionMode.of(spec));
    }
}
