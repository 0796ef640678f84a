package io.nodeward.controller.devices;

import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.StatusParts;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the status of a DeviceTaintSlice shows.
 *
 * @param generation of its spec
 */
record TaintSliceStatus(long generation, TaintSliceMatch match) {
    private static final String OBSERVED = "observedGeneration";
    private static final String DEVICES = "devices";
    private static final String UNKNOWN = "unknown";
    private static final String PODS = "pods";

    /** All that it may show besides the condition Ready: counts change with each pod and device. */
    static final StatusParts PARTS = new StatusParts(Set.of(OBSERVED, DEVICES, UNKNOWN, PODS),
            Set.of(Enforcement.CONDITION, EvictionProgress.CONDITION), Duration.ofSeconds(10),
            Set.of(Enforcement.CONDITION));

    /** Why no device has its taints. */
    Optional<Blocked> blocked() {
        return isValid() ? Optional.empty()
                : Optional.of(new Blocked("Invalid",
                        match.faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    boolean isValid() {
        return match.faults().isEmpty();
    }

    /** @param enforced whether the scheduler knows of the taints, if it has to */
    StatusDetails details(Text enforced) {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, generation);
        if (!isValid()) {
            return details;
        }
        StatusDetails counts = details.withField(DEVICES, match.devices().published())
                .withField(UNKNOWN, match.devices().unknown())
                .withField(PODS, match.devices().evicted().count());
        StatusDetails evicting = match.devices().evicted().count() == 0 ? counts
                : with(counts, EvictionProgress.CONDITION, new Text(Condition.UNKNOWN, new Blocked("NotSupported",
                        "a DeviceTaintSlice evicts no pods yet: a DeviceTaintRule with the effect NoExecute does")));
        return match.needed() > 0 ? with(evicting, Enforcement.CONDITION, enforced) : evicting;
    }

    private static StatusDetails with(StatusDetails details, String type, Text text) {
        return details.withCondition(type, text.status(), text.why().reason(), text.why().message());
    }
}
