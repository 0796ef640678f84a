package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.StatusParts;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the status of a DeviceTaintSlice shows. */
record TaintSliceStatus(CustomResource<DeviceTaintSlice> slice, TaintSliceMatch match) {
    private static final String OBSERVED = "observedGeneration";
    private static final String DEVICES = "devices";
    private static final String UNKNOWN = "unknown";
    private static final String PODS = "pods";

    /** All that it may show besides the condition Ready: counts change with each pod and device. */
    static final StatusParts PARTS = new StatusParts(
            Set.of(OBSERVED, ObservedTaints.FIELD, EvictionProgress.BEGAN, DEVICES, UNKNOWN, PODS),
            Set.of(RuleStatus.BACKOFF, Enforcement.CONDITION, EvictionProgress.CONDITION), Duration.ofSeconds(10),
            Set.of(RuleStatus.BACKOFF, Enforcement.CONDITION));

    /** Why no device has its taints. */
    Optional<Blocked> blocked() {
        return isValid() ? Optional.empty()
                : Optional.of(new Blocked(Reason.INVALID,
                        match.faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    boolean isValid() {
        return match.faults().isEmpty();
    }

    /** Since when its taints count, as the status shows it. */
    static ObservedTaints observed(CustomResource<DeviceTaintSlice> slice) {
        return ObservedTaints.of(Trees.read(slice.status()).at(ObservedTaints.FIELD));
    }

    /**
     * All of it.
     *
     * @param enforced whether the scheduler knows of the taints, if it has to
     * @param evicting whether pods are evicted
     * @param slowed why they are evicted later than they might be
     */
    StatusDetails details(Text enforced, Text evicting, Optional<String> slowed, Instant now) {
        StatusDetails details = counts(StatusDetails.NONE.withField(OBSERVED, slice.generation())
                .withField(ObservedTaints.FIELD, seen(now).tree())
                .withCondition(EvictionProgress.CONDITION, evicting));
        StatusDetails begun = EvictionProgress.hasBegun(slice) || EvictionProgress.isInProgress(evicting)
                ? details.withField(EvictionProgress.BEGAN, true)
                : details;
        StatusDetails all = slowed.map(message -> begun.withCondition(
                RuleStatus.BACKOFF, Condition.TRUE, Reason.CLAIM_GETS_NEW_PODS, message)).orElse(begun);
        return match.needed() > 0 ? all.withCondition(Enforcement.CONDITION, enforced) : all;
    }

    /** While a slice is invalid its taints are not in effect: what was seen before stays. */
    private ObservedTaints seen(Instant now) {
        return isValid() ? observed(slice).now(slice.spec(), now) : observed(slice);
    }

    /** Of a slice with a fault nothing is counted. */
    private StatusDetails counts(StatusDetails details) {
        return isValid()
                ? details.withField(DEVICES, match.devices().published())
                        .withField(UNKNOWN, match.devices().unknown())
                        .withField(PODS, match.devices().evicted().count())
                : details;
    }
}
