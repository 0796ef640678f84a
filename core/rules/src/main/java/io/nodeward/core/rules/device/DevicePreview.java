package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.core.rules.preview.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
 * @param driverTaints the first {@link Sample#MOST} taints that drivers publish on these devices, in order
 * @param evictedByKubernetes those of the evicted pods that Kubernetes evicts for such a taint, whatever the rule says
 */
public record DevicePreview(
        Sample devices,
        Sample allocated,
        Sample evicted,
        int namespaces,
        Sample tolerating,
        Unanswered failed,
        Unanswered unknown,
        List<DriverTaint> driverTaints,
        Sample evictedByKubernetes) {
    /** A copy of what is given. */
    public DevicePreview {
        driverTaints = List.copyOf(driverTaints);
    }

    /**
     * Devices of which it is not known whether the rule selects them.
     *
     * @param why of the first of them; empty if there is none
     */
    public record Unanswered(Sample devices, String why) {
        public static final Unanswered NONE = new Unanswered(Sample.of(List.of()), "");

        /** Returns the first device, and why. */
        public Optional<String> first() {
            return devices.names().stream().findFirst().map(name -> name + ": " + why);
        }
    }

    /** Returns whether the answer is known for all devices that claims have, so that the number of pods is exact. */
    public boolean isKnown() {
        return unknown.devices().count() == 0;
    }

    /** Returns the fields of the status. While some devices are unknown, the number of pods is unknown too and is left out. */
    public Tree tree() {
        Map<String, Object> fields = new HashMap<>(Map.of(
                "devices", devices.count(),
                "preview", Map.of(
                        "allocated", allocated.tree(),
                        "devices", devices.tree(),
                        "driverTaints", driverTaints.stream().map(DriverTaint::tree).toList(),
                        "evicted", evicted.tree(),
                        "evictedByKubernetes", evictedByKubernetes.tree(),
                        "failed", failed.devices().tree(),
                        "namespaces", namespaces,
                        "tolerating", tolerating.tree(),
                        "unknown", unknown.devices().tree())));
        if (isKnown()) {
            fields.put("pods", evicted.count());
        }
        return Tree.of(fields);
    }
}
