package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of one rule.
 *
 * @param missingClass the class that it names, if there is none of this name
 * @param projected devices of which the scheduler is to learn the taint: those that it selects, or if it may not have all the rules
 *     that it needs, those of them that have one; and devices that have one and of which nobody can tell whether it selects them
 * @param inUse devices that it selects and claims have; none if its effect is None
 */
public record RuleMatch(
        List<FieldFault> faults, int needed, boolean granted, Optional<String> missingClass, DevicePreview preview,
        Set<DeviceName> projected, Set<DeviceName> inUse) implements TaintMatch {
    /** A copy of what is given. */
    public RuleMatch {
        faults = List.copyOf(faults);
        projected = Set.copyOf(projected);
        inUse = Set.copyOf(inUse);
    }
}
