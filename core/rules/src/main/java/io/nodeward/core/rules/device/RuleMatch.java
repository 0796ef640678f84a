package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of one rule.
 *
 * @param faults what is wrong with its spec; if anything, it selects nothing
 * @param missingClass the class that it names, if there is none of this name
 * @param projected how the server's scheduler is to learn of its taint
 * @param inUse devices that it selects and claims have; none if its effect is None
 */
public record RuleMatch(
        List<FieldFault> faults, Optional<String> missingClass, DevicePreview preview, Projected projected,
        Set<DeviceName> inUse) {
    /**
     * What a rule needs so that the scheduler learns of its taint.
     *
     * @param needed rules of the server; 0 if it selects nothing, or its effect is None
     * @param granted whether it may have them
     * @param devices that it selects; of one that may not, those that have one
     * @param unknown devices that have one, and of which nobody can tell whether the rule still selects them: these stay
     */
    public record Projected(int needed, boolean granted, Set<DeviceName> devices, Set<DeviceName> unknown) {
        /** A copy of what is given. */
        public Projected {
            unknown = Set.copyOf(unknown);
            devices = Set.copyOf(devices);
        }
    }

    /** A copy of what is given. */
    public RuleMatch {
        faults = List.copyOf(faults);
        inUse = Set.copyOf(inUse);
    }
}
