package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.TaintedDevices.Answer;
import io.nodeward.core.rules.device.TaintedDevices.Standing;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusParts;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the status of a rule shows.
 *
 * @param generation of the rule's spec
 */
record RuleStatus(long generation, RuleMatch match) {
    private static final String OBSERVED = "observedGeneration";
    private static final String FAILED = "EvaluationFailed";
    private static final String UNKNOWN = "DevicesUnknown";

    /** All that it may show besides the condition Ready; counts change with each pod. */
    static final StatusParts PARTS = new StatusParts(Set.of(OBSERVED, "devices", "pods", "preview"),
            Set.of(FAILED, UNKNOWN), Duration.ofSeconds(10));

    /** Why the rule does not select what it declares. */
    Optional<Blocked> blocked() {
        return match.faults().isEmpty()
                ? match.missingClass()
                        .map(name -> new Blocked("DeviceClassNotFound", "spec.deviceSelector.deviceClassName:"
                                + " there is no DeviceClass " + name + ", so that the rule selects no device"))
                : Optional.of(new Blocked("Invalid",
                        match.faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    /** Whether nobody has to change the rule: a class may come after it. */
    boolean isValid() {
        return match.faults().isEmpty();
    }

    /** Of a rule with a fault nothing is counted. */
    StatusDetails details() {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, generation);
        return match.faults().isEmpty() ? unknown(failed(counts(details))) : details;
    }

    private StatusDetails counts(StatusDetails none) {
        StatusDetails details = none;
        if (match.preview().tree() instanceof Tree.Fields(Map<String, Tree> counts)) {
            for (Map.Entry<String, Tree> count : counts.entrySet()) {
                details = details.withField(count.getKey(), count.getValue());
            }
        }
        return details;
    }

    private StatusDetails failed(StatusDetails details) {
        int count = match.preview().failed().count();
        return first(true).map(error -> details.withCondition(FAILED, Condition.TRUE, "ExpressionError", "no taint on "
                + devices(count) + ", for which an expression has no answer. The first is " + error)).orElse(details);
    }

    private StatusDetails unknown(StatusDetails details) {
        int count = match.preview().unknown().count();
        return first(false).map(reason -> details.withCondition(UNKNOWN, Condition.TRUE, "NotPublished",
                "it is not known whether the rule selects " + devices(count)
                        + " that claims have, so the number of pods"
                        + " is unknown. The first is " + reason))
                .orElse(details);
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }

    /** The first device of which nobody knows whether it is selected, and why. */
    private Optional<String> first(boolean published) {
        return match.devices().entrySet().stream()
                .filter(device -> device.getValue().match() instanceof DeviceMatch.Unknown
                        && published == (device.getValue().standing() == Standing.PUBLISHED))
                .min(Map.Entry.comparingByKey(Comparator.comparing(DeviceName::toString)))
                .map(device -> device.getKey() + ": " + why(device.getValue()));
    }

    private static String why(Answer answer) {
        return answer.match() instanceof DeviceMatch.Unknown(String why) ? why : "";
    }
}
