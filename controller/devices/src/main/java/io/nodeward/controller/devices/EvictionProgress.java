package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.RuleMatch;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Whether a rule evicts pods, as the condition {@code EvictionInProgress} says it. */
final class EvictionProgress {
    static final String CONDITION = "EvictionInProgress";
    /** Of the status, once it has shown that the rule evicts: a process that comes later finds the burst taken. */
    static final String BEGAN = "evictionBegan";

    private static final String HELD_BACK =
            "the pace of all rules together, --devices-evictions-per-second, holds it below its own";

    private EvictionProgress() {}

    /**
     * @param begun whether the status has ever shown that it evicts
     * @param evicted pods, since the start of the process
     * @param refused how many the server does not let go, and why
     * @param heldBack whether the pace of all rules together has held it below its own
     */
    record Past(boolean begun, long evicted, Optional<String> refused, boolean heldBack) {}

    /**
     * Of a rule, whatever its effect is.
     *
     * @param enforced whether the scheduler knows of its taint
     * @param allTheSame whether it evicts, also if the scheduler does not know of its taint on all devices
     */
    static Text of(
            DeviceTaintRule rule, RuleMatch match, Text enforced, BooleanSupplier allTheSame, Past past) {
        String effect = rule.taint().effect();
        if (!effect.equals(DeviceVerdict.NO_EXECUTE)) {
            return text(Condition.FALSE, effect.equals("None") ? Reason.NO_EFFECT : Reason.OTHER_EFFECT,
                    "pods are evicted for the effect NoExecute alone");
        }
        if (!match.faults().isEmpty()) {
            return text(Condition.FALSE, Reason.NOT_IN_EFFECT, "the condition Ready says why the rule selects nothing");
        }
        if (!enforced.status().equals(Condition.TRUE) && !allTheSame.getAsBoolean()) {
            return notEnforced(enforced.why());
        }
        DevicePreview preview = match.preview();
        int pending = preview.evicted().count();
        if (rule.selector().filter(DeviceTaintSelector::isWhole).isPresent()
                && rule.confirmedPods().orElse(-1) < pending) {
            return text(Condition.FALSE, Reason.NOT_CONFIRMED, "the rule selects every device"
                    + rule.selector().get().driver().map(driver -> " of driver " + driver).orElse("")
                    + ", and evicts nobody"
                    + " unless that is confirmed: it would evict " + pods(pending) + ". To evict them, set"
                    + " spec.confirmedPods to " + pending + " or more");
        }
        return pending > 0
                ? pending(pending, preview.namespaces(), past)
                : preview.isKnown() ? nobody(past) : unknown();
    }

    /** Of a DeviceTaintSlice, whatever the effects of its taints are; as above. */
    static Text of(
            DeviceTaintSlice slice, TaintSliceMatch match, Text enforced, BooleanSupplier allTheSame, Past past) {
        if (slice.taints().stream().noneMatch(entry -> entry.taint().effect().equals(DeviceVerdict.NO_EXECUTE))) {
            return text(Condition.FALSE, slice.taints().stream().anyMatch(entry -> entry.taint().keepsPodsOff())
                    ? Reason.OTHER_EFFECT : Reason.NO_EFFECT, "pods are evicted for the effect NoExecute alone");
        }
        if (!match.faults().isEmpty()) {
            return text(Condition.FALSE, Reason.NOT_IN_EFFECT, "the condition Ready says why no device has the taints");
        }
        if (!enforced.status().equals(Condition.TRUE) && !allTheSame.getAsBoolean()) {
            return notEnforced(enforced.why());
        }
        int pending = match.devices().evicted().count();
        return pending > 0 ? pending(pending, match.devices().namespaces(), past) : nobody(past);
    }

    private static Text pending(int pods, int namespaces, Past past) {
        return text(Condition.TRUE, Reason.PODS_PENDING_EVICTION, pods(pods) + " in " + namespaces
                + (namespaces == 1 ? " namespace" : " namespaces") + " to be evicted"
                + (past.evicted() == 0 ? "" : "; " + done(past.evicted()))
                + (past.heldBack() ? "; " + HELD_BACK : "")
                + past.refused().map(why -> "; " + why).orElse(""));
    }

    private static Text notEnforced(Blocked why) {
        boolean soon = why.is(Reason.NOT_WRITTEN) || why.is(Reason.NOT_REPORTED);
        return text(soon ? Condition.UNKNOWN : Condition.FALSE, Reason.NOT_ENFORCED,
                "nobody is evicted while the condition SchedulingEnforced is False, since the scheduler would give the"
                        + " device to the next pod; with --devices-evict-unenforced=true pods are evicted all the same");
    }

    private static Text unknown() {
        return text(Condition.UNKNOWN, Reason.DEVICES_UNKNOWN,
                "it is not known whether the rule selects all the devices"
                        + " that claims have; nobody is evicted for the others");
    }

    /** The status outlives a process, its count does not. */
    private static Text nobody(Past past) {
        if (!past.begun()) {
            return text(Condition.FALSE, Reason.NOT_STARTED, "no pod has to be evicted");
        }
        return text(Condition.FALSE, Reason.COMPLETED,
                past.evicted() == 0 ? "no pod is left that has to be evicted" : done(past.evicted()));
    }

    private static String done(long evicted) {
        return pods(evicted) + " evicted since the controller started";
    }

    private static String pods(long count) {
        return count == 1 ? "1 pod" : count + " pods";
    }

    private static Text text(String status, Reason reason, String message) {
        return new Text(status, new Blocked(reason, message));
    }

    static boolean isInProgress(Text text) {
        return text.status().equals(Condition.TRUE);
    }

    /** Whether the status shows of the newest spec that the rule evicts. */
    static boolean isReported(CustomResource<?> rule) {
        return hasBegun(rule) && rule.conditions().stream().anyMatch(condition -> condition.type().equals(CONDITION)
                && condition.status().equals(Condition.TRUE) && condition.observedGeneration() == rule.generation());
    }

    /** Whether the status has ever shown that the rule evicts: then a process may have taken the burst. */
    static boolean hasBegun(CustomResource<?> rule) {
        return Trees.read(rule.status()).at(BEGAN).equals(Tree.of(true));
    }

    /** The rule, if its status has come to show that it evicts. */
    static <S> Set<ObjectKey> mapReported(@Nullable CustomResource<S> before, @Nullable CustomResource<S> after) {
        return after != null && isReported(after) && (before == null || !isReported(before))
                ? Set.of(MapFunction.latest(before, after).key())
                : Set.of();
    }
}
