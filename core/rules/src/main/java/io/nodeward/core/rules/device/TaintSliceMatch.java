package io.nodeward.core.rules.device;

import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;

/**
 * What is known of one DeviceTaintSlice.
 *
 * @param faults what is wrong with its spec; if anything, no device has its taints
 * @param needed rules of the server, so that the scheduler learns of the taints; 0 if all of them have the effect None
 * @param granted whether it may have them
 */
public record TaintSliceMatch(List<FieldFault> faults, ListedDevices devices, int needed, boolean granted) {
    /** A copy of what is given. */
    public TaintSliceMatch {
        faults = List.copyOf(faults);
    }
}
