package io.nodeward.controller.devices;

import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.TaintedDevices.TooMany;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one rule.
 *
 * @param faults what is wrong with its spec; if anything, it selects nothing
 * @param missingClass the class that it names, if there is none of this name
 * @param tooMany if it selects nothing, as all rules together would select too many devices
 */
record RuleMatch(
        List<FieldFault> faults, Optional<String> missingClass, Optional<TooMany> tooMany, DevicePreview preview) {
    /** A copy of what is given. */
    RuleMatch {
        faults = List.copyOf(faults);
    }

    /** Whether the preview shows what the rule does. */
    boolean isCounted() {
        return faults.isEmpty() && tooMany.isEmpty();
    }
}
