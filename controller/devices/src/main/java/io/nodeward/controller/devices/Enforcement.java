package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.Projection;
import io.nodeward.core.rules.device.SelectorMatch;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import java.util.List;
import java.util.function.Predicate;

/** What the condition {@code SchedulingEnforced} says: whether the scheduler of the cluster knows of a taint. */
final class Enforcement {
    static final String CONDITION = "SchedulingEnforced";
    /** The condition that the controller of the server sets on each of its rules. */
    private static final String EVALUATED = "EvictionInProgress";

    private Enforcement() {}

    /** Returns what the status shows if the server has no rules of its own. */
    static StatusDetails.Text notServed() {
        return no(Reason.NOT_SERVED, "the DeviceTaintRules of " + ServerRules.GROUP
                + " have not been seen: Kubernetes serves"
                + " them from 1.37 on, and 1.36 only with the feature gate DRADeviceTaintRules; the controller needs"
                + " the right to list and watch them");
    }

    /** Returns what is waited for while it is not known whether the server has rules of its own. */
    static StatusDetails.Text notAnswered() {
        return new StatusDetails.Text(Condition.UNKNOWN, new Blocked(Reason.NOT_ANSWERED,
                "an answer of the server whether it has DeviceTaintRules of " + ServerRules.GROUP));
    }

    static boolean isKnown(StatusDetails.Text text) {
        return !text.status().equals(Condition.UNKNOWN);
    }

    /**
     * Returns what the status shows of an object that needs more of the server's rules than are left.
     *
     * @param most of these, for all objects together
     */
    static StatusDetails.Text tooMany(DeclaredTaints declared, int most) {
        String rules = declared.match().needed() + " DeviceTaintRules of " + ServerRules.GROUP;
        return declared.key().kind() == Kind.RULE
                ? no(Reason.TOO_MANY_DEVICES, "the rule needs " + rules
                        + ", one for each device, and all rules together may have " + most
                        + ", older rules first. Select by driver, pool or device alone, which needs one, or select fewer")
                : no(Reason.TOO_MANY_TAINTS, "the DeviceTaintSlice needs " + rules
                        + ", one for each taint with an effect, and all rules and taint slices together may have "
                        + most + ". Declare fewer, or raise --devices-server-rules");
    }

    /** Returns what the status shows if the server has its rules, or not all of them yet. */
    static StatusDetails.Text of(Projection projection) {
        if (projection.size() == 0) {
            return new StatusDetails.Text(Condition.TRUE, new Blocked(Reason.NO_DEVICES, "the rule selects no device"));
        }
        long complete = projection.complete();
        if (complete < projection.size()) {
            return no(Reason.NOT_WRITTEN,
                    complete + " of " + projection.size() + " DeviceTaintRules of " + ServerRules.GROUP
                            + " stand for it");
        }
        long evaluated = projection.standing().stream().filter(Enforcement::isReported).count();
        return evaluated < complete
                ? no(Reason.NOT_REPORTED, "Kubernetes has reported on " + evaluated + " of " + complete
                        + " DeviceTaintRules that stand for it")
                : new StatusDetails.Text(Condition.TRUE, new Blocked(Reason.REPORTED, "Kubernetes has reported on all "
                        + complete
                        + " DeviceTaintRules that stand for it; the scheduler itself cannot be observed"));
    }

    private static boolean isReported(CustomResource<DeviceTaintRule> rule) {
        return rule.conditions().stream().anyMatch(condition -> condition.type().equals(EVALUATED)
                && condition.observedGeneration() == rule.generation());
    }

    /** Returns of which devices the scheduler knows that they have the taint, while it does not know it of others yet. */
    static Predicate<DeviceName> keptOff(Projection projection, RuleTaint taint) {
        List<DeviceTaintSelector> selectors = projection.asWanted().stream().filter(Enforcement::isReported)
                .map(CustomResource::spec).filter(rule -> isSame(rule.taint(), taint))
                .flatMap(rule -> rule.selector().stream()).toList();
        return device -> selectors.stream().anyMatch(names -> SelectorMatch.fits(names, device));
    }

    private static boolean isSame(RuleTaint one, RuleTaint other) {
        return one.key().equals(other.key()) && one.value().equals(other.value())
                && one.effect().equals(other.effect());
    }

    private static StatusDetails.Text no(Reason reason, String message) {
        return new StatusDetails.Text(Condition.FALSE, new Blocked(reason, message));
    }
}
