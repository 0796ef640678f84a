package io.nodeward.core.rules.device;

import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;

/** What is known of one DeviceTaintSlice. */
public record TaintSliceMatch(List<FieldFault> faults, int needed, boolean granted, ListedDevices devices)
        implements TaintMatch {
    /** A copy of what is given. */
    public TaintSliceMatch {
        faults = List.copyOf(faults);
    }
}
