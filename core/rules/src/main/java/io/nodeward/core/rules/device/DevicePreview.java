package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.core.rules.preview.Sample;
import java.util.HashMap;
import java.util.Map;

/**
 * What a rule would do if its effect were NoExecute. Devices are named {@code driver/pool/device}, pods
 * {@code namespace/name}.
 *
 * @param devices that the rule selects, of those that slices publish
 * @param allocated devices that the rule selects and a claim has
 * @param evicted pods that would be deleted, now or when the time is over for which they tolerate the taint
 * @param namespaces of these pods
 * @param tolerating pods that use a device that the rule selects, and tolerate the taint for ever
 * @param failed devices of which an expression has no answer: they do not get the taint
 * @param unknown devices that a claim has and no slice publishes, of which nobody can tell whether the rule selects them
 */
public record DevicePreview(
        Sample devices,
        Sample allocated,
        Sample evicted,
        int namespaces,
        Sample tolerating,
        Sample failed,
        Sample unknown) {

    /** As fields of the status. While some devices are unknown, the number of pods is unknown too, and is no number. */
    public Tree tree() {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "devices", devices.count(),
                "preview", Map.of(
                        "allocated", allocated.tree(),
                        "devices", devices.tree(),
                        "evicted", evicted.tree(),
                        "failed", failed.tree(),
                        "namespaces", namespaces,
                        "tolerating", tolerating.tree(),
                        "unknown", unknown.tree())));
        if (unknown.count() == 0) {
            fields.put("pods", evicted.count());
        }
        return Tree.of(fields);
    }
}
