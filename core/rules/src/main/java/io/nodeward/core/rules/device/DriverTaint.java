package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.util.HashMap;
import java.util.Map;

/**
 * A taint that a driver publishes in its ResourceSlices. Nodeward evicts no pod for it.
 *
 * @param value empty if it has none
 * @param devices how many of the devices that a rule selects have it
 */
public record DriverTaint(String key, String value, String effect, int devices) {
    /** The name of the one who evicts pods for taints of drivers, and for those of rules of the server. */
    public static final String KUBERNETES = "Kubernetes";

    /** Returns whether Kubernetes evicts pods for it. */
    public boolean evicts() {
        return effect.equals(DeviceVerdict.NO_EXECUTE);
    }

    /** Returns {@code key[=value]:effect}. */
    public String text() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }

    /** Returns it as an element of a status. */
    Tree tree() {
        Map<String, Object> fields =
                new HashMap<>(Map.of("key", key, "value", value, "effect", effect, "devices", devices));
        if (evicts()) {
            fields.put("evictedBy", KUBERNETES);
        }
        return Tree.of(fields);
    }
}
