package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A device of a ResourceSlice.
 *
 * @param name in the pool
 * @param facts what expressions see of it
 * @param taints that its driver has set; at most 16, as API servers store no more
 */
public record PublishedDevice(String name, DeviceFacts facts, List<DeviceTaint> taints) {
    /**
     * Bytes that a device takes beside its texts, also where controllers look it up by name and by what rules ask. Measured with one
     * rule and 100,000 devices without attributes: 1,040 bytes each in slices of 128, 1,070 in slices of 8, 1,350 in slices of one.
     */
    private static final int PER_DEVICE = 1100;
    private static final int MOST_TAINTS = 16;

    /** A copy of what is given. */
    public PublishedDevice {
        taints = List.copyOf(taints);
    }

    /** Returns about how many bytes of heap the device takes. */
    public long heapBytes() {
        return PER_DEVICE + name.length() + facts.heapBytes() + taints.stream().mapToLong(
                taint -> 3L * Metadata.PER_TEXT + taint.key().length() + taint.value().length()).sum();
    }

    static PublishedDevice of(String driver, Tree device) {
        return new PublishedDevice(device.at("name").string(), DeviceFacts.of(driver, device),
                device.at("taints").elements().stream().limit(MOST_TAINTS).map(DeviceTaint::of)
                        .filter(DeviceTaint::isShort).toList());
    }
}
