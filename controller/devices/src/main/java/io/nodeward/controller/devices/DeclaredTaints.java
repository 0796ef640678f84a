package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.EvictionFacts;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintMatch;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.StatusParts;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A DeviceTaintRule or DeviceTaintSlice as it was seen, with what is known of it. */
interface DeclaredTaints {
    String OBSERVED = "observedGeneration";
    String OBSERVED_TAINT = "observedTaint";
    String FAILED = "EvaluationFailed";
    String DEVICES_UNKNOWN = "DevicesUnknown";
    /** The condition that shows why pods are evicted later than they might be. */
    String BACKOFF = "EvictionBackoff";

    /**
     * All that a status may show besides the condition Ready. Counts change with each pod and conditions with each device, so these
     * are written together; users wait for the condition of the eviction.
     */
    StatusParts PARTS = new StatusParts(
            Set.of(OBSERVED, OBSERVED_TAINT, ObservedTaints.FIELD, EvictionProgress.BEGAN, "devices", "unknown", "pods",
                    "preview"),
            Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, Enforcement.CONDITION, EvictionProgress.CONDITION),
            Duration.ofSeconds(10), Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, Enforcement.CONDITION));

    /**
     * A taint that evicts pods, at a pace of its own.
     *
     * @param uid by what its pace is found
     * @param rule what is declared, as a rule
     * @param devices that have the taint and that claims may have
     */
    record Evicting(String uid, DeviceTaintRule rule, Set<DeviceName> devices) {}

    CustomResource<?> object();

    TaintMatch match();

    EvictionFacts facts();

    /** Returns the rules of the server that are to stand for it; if it may not have all that it needs, it keeps those that stand. */
    List<ServerRule> serverRules();

    /** Returns its taints that evict pods, by a name that no other taint has. */
    Map<String, Evicting> evicting();

    /** Returns those of the devices that have its taints at this moment; none while not all about it is known. */
    Set<DeviceName> selected(Devices devices, Set<DeviceName> some);

    /** Returns what its status shows besides conditions of the scheduler and the eviction. */
    StatusDetails counts(Instant now);

    /** Returns the change that the object itself needs before anything else. */
    default Optional<Decision> first(Target target, DeviceCaches caches, Instant now) {
        return Optional.empty();
    }

    default DeviceKey key() {
        return new DeviceKey(object().spec() instanceof DeviceTaintRule ? Kind.RULE : Kind.TAINT_SLICE, object().key());
    }

    default CustomResourceDefinition definition() {
        return key().kind() == Kind.RULE ? DeviceTaintRule.DEFINITION : DeviceTaintSlice.DEFINITION;
    }

    /** Returns whether the object is there at this moment and declares what was seen. */
    default boolean isDeclared(DeviceCaches caches) {
        return caches.declared(key().kind()).get(object().key()).filter(now -> !now.metadata().deleting()
                && now.metadata().uid().equals(object().metadata().uid())
                && now.generation() == object().generation() && now.spec().equals(object().spec())).isPresent();
    }

    /** Returns whether it has no fault, so that nobody has to change it. */
    default boolean isValid() {
        return match().faults().isEmpty();
    }

    /** Returns why the devices do not have the taints. */
    default Optional<Blocked> blocked() {
        return isValid() ? Optional.empty()
                : Optional.of(new Blocked(Reason.INVALID,
                        match().faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    /** Adds to a status that pods are or were evicted, which it never forgets. */
    default StatusDetails begun(StatusDetails details, boolean now) {
        return now || EvictionProgress.shown(object()) != Shown.NEVER ? details.withField(EvictionProgress.BEGAN, true)
                : details;
    }

    /** @param enforced whether the scheduler knows of the taints, if it has to */
    default StatusDetails details(Text enforced, EvictionProgress evicting, Instant now) {
        StatusDetails details = begun(counts(now), evicting.state().isInProgress())
                .withCondition(EvictionProgress.CONDITION, evicting.text());
        if (evicting.slowed().isPresent()) {
            details = details.withCondition(
                    BACKOFF, Condition.TRUE, Reason.CLAIM_GETS_NEW_PODS, evicting.slowed().get());
        }
        return facts().keepsPodsOff() ? details.withCondition(Enforcement.CONDITION, enforced) : details;
    }
}
