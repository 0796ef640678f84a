package io.nodeward.core.rules.device;

import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;

/** What is known of a DeviceTaintRule or DeviceTaintSlice. */
public interface TaintMatch {
    /** Returns what is wrong with its spec; if anything, no device has its taints. */
    List<FieldFault> faults();

    /** Returns how many rules of the server it needs so that the scheduler learns of its taints. */
    int needed();

    /** Returns whether it may have so many. */
    boolean granted();
}
