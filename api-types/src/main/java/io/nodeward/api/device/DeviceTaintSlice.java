package io.nodeward.api.device;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.pod.EvictionMode;
import java.util.List;

/**
 * Taints that somebody declares for devices of one pool, each by its name: a driver, or who watches the health of its devices.
 *
 * @param driver of the devices
 * @param pool of the devices, of which the newest generation counts
 * @param taints of the devices, none if there is nothing to say
 * @param eviction how pods are evicted for them
 */
public record DeviceTaintSlice(String driver, String pool, List<Entry> taints, EvictionMode eviction) {
    public static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("nodeward.io", "v1alpha1", "DeviceTaintSlice", "devicetaintslices", false);
    public static final Projection<CustomResource<DeviceTaintSlice>> PROJECTION =
            Projection.customResource(Shape.WHOLE, DeviceTaintSlice::of);

    /** A copy of what is given. */
    public DeviceTaintSlice {
        taints = List.copyOf(taints);
    }

    /** Has pods deleted. */
    public DeviceTaintSlice(String driver, String pool, List<Entry> taints) {
        this(driver, pool, taints, EvictionMode.DEFAULT);
    }

    /**
     * A taint of one device; a device may have several.
     *
     * @param device its name in the pool, which may be that of no device
     */
    public record Entry(String device, RuleTaint taint) {}

    /** Of a spec, whatever it holds. */
    public static DeviceTaintSlice of(Tree spec) {
        return new DeviceTaintSlice(spec.at("driver").string(), spec.at("pool").string(),
                spec.at("taints").elements().stream()
                        .map(entry -> new Entry(entry.at("device").string(), RuleTaint.of(entry.at("taint"))))
                        .toList(),
                EvictionMode.of(spec));
    }

    /** By which the device of an entry is known. */
    public DeviceName name(Entry entry) {
        return new DeviceName(driver, pool, entry.device());
    }
}
