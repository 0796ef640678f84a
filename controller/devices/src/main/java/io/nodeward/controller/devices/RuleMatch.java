package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.TaintedDevices.Answer;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of one rule.
 *
 * @param faults what is wrong with its spec; if anything, it selects nothing
 * @param missingClass the class that it names, if there is none of this name
 * @param devices that it selects, or of which nobody knows
 */
record RuleMatch(
        List<FieldFault> faults, Optional<String> missingClass, Map<DeviceName, Answer> devices,
        DevicePreview preview) {
    /** A copy of what is given. */
    RuleMatch {
        faults = List.copyOf(faults);
        devices = Map.copyOf(devices);
    }
}
