package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DevicePreview.Unanswered;
import io.nodeward.core.rules.device.EvictionFacts;
import io.nodeward.core.rules.device.RuleMatch;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A DeviceTaintRule with what is known of it.
 *
 * @param serverRules none if it is being deleted, or selects no device
 * @param unknownSlices how many ResourceSlices there are whose devices are not known
 */
record DeclaredRule(
        CustomResource<DeviceTaintRule> object, RuleMatch match, EvictionFacts facts, List<ServerRule> serverRules,
        int unknownSlices) implements DeclaredTaints {
    private static final ObjectKind KIND = ObjectKind.of(DeviceTaintRule.DEFINITION);

    /** Returns what is known of a rule; empty while its newest spec is evaluated. */
    static Optional<DeclaredRule> of(
            CustomResource<DeviceTaintRule> rule, Devices devices, ServerRules serverRules) {
        String name = rule.key().name();
        boolean deleting = rule.metadata().deleting();
        return devices.match(name, rule.spec(), serverRules.devices(rule)).map(match -> new DeclaredRule(rule, match,
                EvictionFacts.of(rule.spec(), match, deleting),
                !deleting && (match.needed() > 0 || !match.projected().isEmpty())
                        ? ServerRule.all(rule.metadata().uid(), name, rule.spec(), match.projected())
                        : List.of(),
                devices.caches().unknownSlices()));
    }

    @Override
    public Map<String, Evicting> evicting() {
        return Map.of(object.key().name(), new Evicting(object.metadata().uid(), object.spec(), match.inUse()));
    }

    @Override
    public Optional<Blocked> blocked() {
        return DeclaredTaints.super.blocked().or(() -> match.missingClass()
                .map(name -> new Blocked(Reason.DEVICE_CLASS_NOT_FOUND, "spec.deviceSelector.deviceClassName:"
                        + " there is no DeviceClass " + name + ", so that the rule selects no device")));
    }

    @Override
    public Set<DeviceName> selected(Devices devices, Set<DeviceName> some) {
        return devices.selected(object.key().name(), object.spec(), some);
    }

    /** Sets the time of the taint if no user has, and sets it anew when the effect has become NoExecute. */
    @Override
    public Optional<Decision> stampTime(Target target, DeviceCaches caches, Instant now) {
        Optional<Instant> added = object.spec().taint().timeAdded();
        boolean needsTime = added.isEmpty() || hasTimeOfOtherEffect() && !added.get().equals(now);
        if (!isValid() || object.metadata().deleting() || !needsTime) {
            return Optional.empty();
        }
        // A user who applies the rule without the time leaves it to this field manager.
        ObjectChange change = ObjectChange.apply(KIND, object.key(),
                Tree.of(Map.of("spec", Map.of("taint", Map.of("timeAdded", now.toString())))))
                .on(ObjectChange.Preconditions.of(object.metadata())).seenIn(caches.rules());
        return Optional.of(new Decision.Change(
                added.isEmpty() ? target.with(begun(counts(), false)) : target, change, object.spec(), List.of(),
                Optional.empty()));
    }

    @Override
    public StatusDetails counts(Instant now) {
        return counts().withField(OBSERVED_TAINT, seen());
    }

    /** Nothing is counted for a rule with a fault. */
    private StatusDetails counts() {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, object.generation());
        if (!isValid()) {
            return details;
        }
        if (match.preview().tree() instanceof Tree.Fields(Map<String, Tree> counts)) {
            for (Map.Entry<String, Tree> count : counts.entrySet()) {
                details = details.withField(count.getKey(), count.getValue());
            }
        }
        return unknown(failed(details));
    }

    /** While a rule is invalid its effect is not in effect: what was seen before stays. */
    private Tree seen() {
        Tree before = Trees.read(object.status()).at(OBSERVED_TAINT);
        return isValid() || !(before instanceof Tree.Fields) ? observed() : before;
    }

    private Tree observed() {
        RuleTaint taint = object.spec().taint();
        Map<String, Object> observed =
                new HashMap<>(Map.of("effect", taint.effect(), "generation", object.generation()));
        taint.timeAdded().ifPresent(time -> observed.put("timeAdded", time.toString()));
        return Tree.of(observed);
    }

    /**
     * Returns whether the effect has become NoExecute and the time is still that of the effect before: pods that tolerate the taint for
     * a time would go too early. If the spec has been edited more than once since it was observed, the effect may have been
     * another meanwhile.
     */
    private boolean hasTimeOfOtherEffect() {
        Tree before = Trees.read(object.status()).at(OBSERVED_TAINT);
        return object.spec().taint().effect().equals(DeviceVerdict.NO_EXECUTE) && before instanceof Tree.Fields
                && (!before.at("effect").string().equals(DeviceVerdict.NO_EXECUTE)
                        || object.generation() - before.at("generation").integer().orElse(0) > 1)
                && observed().at("timeAdded").equals(before.at("timeAdded"));
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
                : details.withCondition(DEVICES_UNKNOWN, Condition.TRUE,
                        ofSlices.isPresent() ? Reason.MEMORY_SHORT : Reason.NOT_PUBLISHED,
                        Stream.of(ofSlices, ofClaims).flatMap(Optional::stream).collect(Collectors.joining("; ")));
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }
}
