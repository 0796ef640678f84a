package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import java.util.List;

/**
 * A device of a ResourceSlice.
 *
 * @param name in the pool
 * @param facts what expressions see of it
 * @param taints that its driver has set
 */
public record PublishedDevice(String name, DeviceFacts facts, List<DeviceTaint> taints) {
    /** A copy of what is given. */
    public PublishedDevice {
        taints = List.copyOf(taints);
    }

    static PublishedDevice of(String driver, Tree device) {
        return new PublishedDevice(device.at("name").string(), DeviceFacts.of(driver, device),
                device.at("taints").elements().stream().map(DeviceTaint::of).toList());
    }
}
