package io.nodeward.api.device;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.pod.EvictionMode;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What a DeviceTaintRule of Nodeward declares; Kubernetes has a kind of the same name in a group of its own.
 *
 * @param selector of the devices that get the taint; without one no device gets it
 * @param confirmedPods a rule that selects every device evicts none while more pods than these are to be evicted; empty if
 *     it is not set
 * @param eviction how its pods are evicted
 * @param untaintAfter how long a device keeps the taint that the rule no longer selects, in hours, minutes and seconds as {@code 1h30m};
 *     empty if it loses the taint at once
 */
public record DeviceTaintRule(
        Optional<DeviceTaintSelector> selector, RuleTaint taint, OptionalLong confirmedPods, EvictionMode eviction,
        String untaintAfter) {
    public static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("nodeward.io", "v1alpha1", "DeviceTaintRule", "devicetaintrules", false);
    public static final Projection<CustomResource<DeviceTaintRule>> PROJECTION =
            Projection.customResource(Shape.WHOLE, DeviceTaintRule::of);

    /** Annotation: when the controller deletes the rule, as in RFC 3339. */
    public static final String EXPIRES = "nodeward.io/expires";

    private static final Pattern TIME = Pattern.compile("([0-9]{1,4}h)?([0-9]{1,5}m)?([0-9]{1,7}s)?");

    /** A rule that says nothing but which devices get which taint. */
    public DeviceTaintRule(Optional<DeviceTaintSelector> selector, RuleTaint taint) {
        this(selector, taint, OptionalLong.empty(), EvictionMode.DEFAULT, "");
    }

    /** Reads a spec, whatever it holds: a selector of another type selects no device. */
    public static DeviceTaintRule of(Tree spec) {
        return new DeviceTaintRule(DeviceTaintSelector.of(spec.at("deviceSelector")), RuleTaint.of(spec.at("taint")),
                spec.at("confirmedPods").integer(), EvictionMode.of(spec), spec.at("untaintAfter").string());
    }

    /** Returns how long a device keeps the taint that the rule no longer selects; empty if the text is no such time. */
    public Optional<Duration> untaintDelay() {
        return untaintAfter.isEmpty() ? Optional.of(Duration.ZERO)
                : Optional.of(untaintAfter).filter(TIME.asMatchPredicate())
                        .map(text -> Duration.parse("PT" + text.toUpperCase(Locale.ROOT)));
    }

    /** Returns the same, whenever its taint was added: Nodeward itself sets that time. */
    public DeviceTaintRule timeless() {
        return new DeviceTaintRule(selector, taint.withTimeAdded(Instant.EPOCH), confirmedPods, eviction, untaintAfter);
    }
}
