package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DevicePreview.Unanswered;
import io.nodeward.core.rules.device.RuleMatch;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.StatusParts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the status of a rule shows.
 *
 * @param unknownSlices how many ResourceSlices there are whose devices are not known
 */
record RuleStatus(CustomResource<DeviceTaintRule> rule, RuleMatch match, int unknownSlices) {
    private static final String OBSERVED = "observedGeneration";
    private static final String FAILED = "EvaluationFailed";
    private static final String UNKNOWN = "DevicesUnknown";

    static final String BACKOFF = "EvictionBackoff";
    private static final String OBSERVED_TAINT = "observedTaint";

    /**
     * All that it may show besides the condition Ready: counts change with each pod, conditions with each device. Whether
     * pods are evicted is what somebody waits for.
     */
    static final StatusParts PARTS = new StatusParts(
            Set.of(OBSERVED, OBSERVED_TAINT, EvictionProgress.BEGAN, "devices", "pods", "preview"),
            Set.of(FAILED, UNKNOWN, BACKOFF, Enforcement.CONDITION, EvictionProgress.CONDITION), Duration.ofSeconds(10),
            Set.of(FAILED, UNKNOWN, BACKOFF, Enforcement.CONDITION));

    /** Why the rule does not select what it declares. */
    Optional<Blocked> blocked() {
        return match.faults().isEmpty()
                ? missingClass()
                : Optional.of(new Blocked(Reason.INVALID,
                        match.faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    private Optional<Blocked> missingClass() {
        return match.missingClass()
                .map(name -> new Blocked(Reason.DEVICE_CLASS_NOT_FOUND, "spec.deviceSelector.deviceClassName:"
                        + " there is no DeviceClass " + name + ", so that the rule selects no device"));
    }

    /** Whether nobody has to change the rule: a class may come after it. */
    boolean isValid() {
        return match.faults().isEmpty();
    }

    /** Of a rule with a fault nothing is counted. */
    StatusDetails details() {
        StatusDetails observed = StatusDetails.NONE.withField(OBSERVED, rule.generation());
        StatusDetails details = EvictionProgress.hasBegun(rule) ? begun(observed) : observed;
        return isValid() ? unknown(failed(counts(details))) : details;
    }

    private static StatusDetails begun(StatusDetails details) {
        return details.withField(EvictionProgress.BEGAN, true);
    }

    /** Also whether the scheduler knows of the taint, if it has to, and whether pods are evicted. */
    StatusDetails details(Text enforced, Text evicting, Optional<String> slowed) {
        StatusDetails shown = details().withCondition(EvictionProgress.CONDITION, evicting)
                .withField(OBSERVED_TAINT, seen());
        StatusDetails details = EvictionProgress.isInProgress(evicting) ? begun(shown) : shown;
        StatusDetails all = slowed.map(message -> details.withCondition(
                BACKOFF, Condition.TRUE, Reason.CLAIM_GETS_NEW_PODS, message)).orElse(details);
        return isValid() && rule.spec().taint().keepsPodsOff() ? all.withCondition(Enforcement.CONDITION, enforced)
                : all;
    }

    /** While a rule is invalid its effect is not in effect: what was seen before stays. */
    private Tree seen() {
        Tree before = Trees.read(rule.status()).at(OBSERVED_TAINT);
        return isValid() || !(before instanceof Tree.Fields) ? observed(rule) : before;
    }

    private static Tree observed(CustomResource<DeviceTaintRule> rule) {
        RuleTaint taint = rule.spec().taint();
        Map<String, Object> observed =
                new HashMap<>(Map.of("effect", taint.effect(), "generation", rule.generation()));
        taint.timeAdded().ifPresent(time -> observed.put("timeAdded", time.toString()));
        return Tree.of(observed);
    }

    /**
     * Whether the effect has become NoExecute and the time is still that of the effect before: who tolerates the taint for a
     * time would go too early. If the spec has been edited more than once since it was observed, the effect may have been
     * another meanwhile.
     */
    static boolean hasTimeOfOtherEffect(CustomResource<DeviceTaintRule> rule) {
        Tree before = Trees.read(rule.status()).at(OBSERVED_TAINT);
        return rule.spec().taint().effect().equals(DeviceVerdict.NO_EXECUTE) && before instanceof Tree.Fields
                && (!before.at("effect").string().equals(DeviceVerdict.NO_EXECUTE)
                        || rule.generation() - before.at("generation").integer().orElse(0) > 1)
                && observed(rule).at("timeAdded").equals(before.at("timeAdded"));
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
        Unanswered failed = match.preview().failed();
        return failed.first().map(first -> details.withCondition(FAILED, Condition.TRUE, Reason.EXPRESSION_ERROR,
                "no taint on " + devices(failed.devices().count())
                        + ", for which an expression has no answer. The first"
                        + " is " + first))
                .orElse(details);
    }

    private StatusDetails unknown(StatusDetails details) {
        Unanswered unknown = match.preview().unknown();
        Optional<String> ofClaims = unknown.first().map(first -> "it is not known whether the rule selects "
                + devices(unknown.devices().count())
                + " that claims have, so the number of pods is unknown. The first is " + first);
        Optional<String> ofSlices = Optional.of("Memory is short, so the devices of " + unknownSlices
                + " ResourceSlices are not known. The rule may select more devices than it counts. A device of their pools"
                + " keeps the taint that it has").filter(any -> unknownSlices > 0);
        return ofClaims.isEmpty() && ofSlices.isEmpty() ? details
                : details.withCondition(UNKNOWN, Condition.TRUE,
                        ofSlices.isPresent() ? Reason.MEMORY_SHORT : Reason.NOT_PUBLISHED,
                        Stream.of(ofSlices, ofClaims).flatMap(Optional::stream).collect(Collectors.joining("; ")));
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }
}
