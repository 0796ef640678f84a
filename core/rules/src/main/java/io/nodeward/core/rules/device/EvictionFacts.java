package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What decides whether pods are evicted for a DeviceTaintRule or DeviceTaintSlice.
 *
 * @param effect the strongest one of its taints
 * @param fault the message if it has a fault
 * @param unconfirmed the message if a user has to confirm the number of pods
 * @param pods how many have to go, now or later
 * @param namespaces of these pods
 * @param known whether it is known of all devices that claims have whether they have its taints
 * @param listed whether it lists its devices by their names
 */
public record EvictionFacts(
        String effect, Optional<String> fault, Optional<String> unconfirmed, int pods, int namespaces, boolean known,
        boolean listed, boolean deleting) {
    static final String NONE = "None";
    private static final String NO_SCHEDULE = "NoSchedule";
    private static final String HELD_BACK =
            "the pace of all rules together, --devices-evictions-per-second, holds it below its own";

    /** Returns the facts about a rule. */
    static EvictionFacts of(
            DeviceTaintRule rule, List<FieldFault> faults, DevicePreview preview, boolean deleting) {
        int pods = preview.evicted().count();
        return new EvictionFacts(rule.taint().effect(), fault(faults, "the rule selects nothing"),
                unconfirmed(rule, pods), pods, preview.namespaces(), preview.isKnown(), false, deleting);
    }

    /** Returns the facts about a DeviceTaintSlice, which names its devices. */
    static EvictionFacts of(
            DeviceTaintSlice slice, List<FieldFault> faults, ListedDevices devices, boolean deleting) {
        List<String> effects = slice.taints().stream().map(entry -> entry.taint().effect()).toList();
        return new EvictionFacts(
                Stream.of(DeviceVerdict.NO_EXECUTE, NO_SCHEDULE).filter(effects::contains).findFirst().orElse(NONE),
                fault(faults, "no device has the taints"), Optional.empty(), devices.evicted().count(),
                devices.namespaces(), true, true, deleting);
    }

    private static Optional<String> fault(List<FieldFault> faults, String what) {
        return Optional.of("the condition Ready says why " + what).filter(any -> !faults.isEmpty());
    }

    private static Optional<String> unconfirmed(DeviceTaintRule rule, int pods) {
        return rule.selector().filter(selector -> selector.isWhole() && rule.confirmedPods().orElse(-1) < pods)
                .map(selector -> "the rule selects every device"
                        + selector.driver().map(driver -> " of driver " + driver).orElse("")
                        + ", and evicts nobody unless that is confirmed: it would evict " + pods(pods)
                        + ". To evict them, set spec.confirmedPods to " + pods + " or more");
    }

    /** Returns whether the scheduler has to know of its taints. */
    public boolean keepsPodsOff() {
        return fault.isEmpty() && (effect.equals(NO_SCHEDULE) || effect.equals(DeviceVerdict.NO_EXECUTE));
    }

    /**
     * Returns the message of the condition.
     *
     * @param state the next state
     * @param evicted how many pods have been deleted since the start of the process; the status outlives it, the count does not
     * @param heldBack whether the pace of all rules together holds it below its own
     * @param refused how many pods the server does not let go, and why
     */
    public String message(EvictionState state, long evicted, boolean heldBack, Optional<String> refused) {
        return switch (state) {
            case NO_EFFECT, OTHER_EFFECT -> "pods are evicted for the effect NoExecute alone";
            case NOT_IN_EFFECT -> fault.orElseThrow();
            case NOT_ENFORCED_YET, NOT_ENFORCED -> "nobody is evicted while the condition SchedulingEnforced is False,"
                    + " since the scheduler would give the device to the next pod; with"
                    + " --devices-evict-unenforced=true pods are evicted all the same";
            case NOT_CONFIRMED -> unconfirmed.orElseThrow();
            case DEVICES_UNKNOWN -> "it is not known whether the rule selects all the devices that claims have;"
                    + " nobody is evicted for the others";
            case NOT_STARTED -> "no pod has to be evicted";
            case COMPLETED -> evicted == 0 ? "no pod is left that has to be evicted" : done(evicted);
            case STOPPED, ANNOUNCED, EVICTING -> pods(pods) + " in " + namespaces
                    + (namespaces == 1 ? " namespace" : " namespaces") + " to be evicted"
                    + (evicted == 0 ? "" : "; " + done(evicted)) + (heldBack ? "; " + HELD_BACK : "")
                    + refused.map(why -> "; " + why).orElse("");
        };
    }

    private static String done(long evicted) {
        return pods(evicted) + " evicted since the controller started";
    }

    private static String pods(long count) {
        return count == 1 ? "1 pod" : count + " pods";
    }
}
