package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.Eviction;
import io.nodeward.core.rules.device.EvictionFacts;
import io.nodeward.core.rules.device.EvictionState;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintMatch;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.MapFunction;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A DeviceTaintRule or DeviceTaintSlice as it was seen, with what is known of it. */
interface DeclaredTaints {
    String OBSERVED = "observedGeneration";
    String OBSERVED_TAINT = "observedTaint";
    String FAILED = "EvaluationFailed";
    String DEVICES_UNKNOWN = "DevicesUnknown";
    /** The condition that shows why pods are evicted later than they might be. */
    String BACKOFF = "EvictionBackoff";

    /** The condition that says whether pods are evicted. */
    String EVICTION = "EvictionInProgress";
    /** The field of the status that is set once it has shown that pods are evicted. */
    String BEGAN = "evictionBegan";

    /**
     * All that a status may show besides the condition Ready. Counts change with each pod and conditions with each device, so these
     * are written together; users wait for the condition of the eviction.
     */
    StatusParts PARTS = new StatusParts(
            Set.of(OBSERVED, OBSERVED_TAINT, ObservedTaints.FIELD, BEGAN, "devices", "unknown", "pods",
                    "preview"),
            Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, ServerRules.CONDITION, EVICTION),
            Duration.ofSeconds(10), Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, ServerRules.CONDITION));

    /**
     * A taint that evicts pods, at a pace of its own.
     *
     * @param uid by what its pace is found
     * @param rule what is declared, as a rule
     * @param devices that have the taint and that claims may have
     */
    record Evicting(String uid, DeviceTaintRule rule, Set<DeviceName> devices) {}

    /**
     * A taint that evicts pods, as it was decided on.
     *
     * @param uses of its devices, of which the queue knows the pods
     */
    record Active(DeclaredTaints declared, Evicting taint, Set<Use> uses) {
        static Active of(DeclaredTaints declared, Evicting taint, DeviceCaches caches) {
            return new Active(declared, taint, taint.devices().stream()
                    .flatMap(device -> caches.claims(device).stream()).distinct()
                    .flatMap(claim -> Use.of(claim, caches)).collect(Collectors.toSet()));
        }

        /** Returns those of the devices that have the taint at this moment, if it is still what was decided on. */
        Set<DeviceName> holds(Devices devices, Set<DeviceName> some) {
            return declared.isDeclared(devices.caches()) ? declared.selected(devices, some) : Set.of();
        }

        /** Returns the pods for which something is another than it was before. */
        Set<ObjectKey> podsSince(Optional<Active> before) {
            Set<Use> known = before.filter(other -> other.taint.uid().equals(taint.uid())
                    && other.taint.rule().equals(taint.rule())).map(Active::uses).orElse(Set.of());
            return uses.stream().filter(use -> !known.contains(use)).map(Use::pod).collect(Collectors.toSet());
        }
    }

    /**
     * The use of devices by a pod, through a claim.
     *
     * @param isOnNode whether this very pod may be evicted
     */
    record Use(ObjectKey pod, String uid, boolean isOnNode, List<ResourceClaim.Allocated> devices) {
        private static Stream<Use> of(ResourceClaim claim, DeviceCaches caches) {
            return claim.reservedFor().stream().map(user -> {
                ObjectKey pod = new ObjectKey(claim.key().namespace(), user.name());
                return new Use(pod, user.uid(), caches.pods().get(pod).filter(
                        found -> found.metadata().uid().equals(user.uid()) && Eviction.isOnNode(found)).isPresent(),
                        claim.allocated());
            });
        }
    }

    /**
     * How far the object has come with evicting pods.
     *
     * @param message of the condition
     * @param slowed why pods are evicted later than they might be
     */
    record Progress(EvictionState state, String message, Optional<String> slowed) {}

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

    /** Returns the request that sets the time of its taint, which goes before anything else. */
    default Optional<Decision> stampTime(Target target, DeviceCaches caches, Instant now) {
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
        return now || shown(object()) != Shown.NEVER ? details.withField(BEGAN, true)
                : details;
    }

    /** @param enforced whether the scheduler knows of the taints, if it has to */
    default StatusDetails details(Text enforced, Progress evicting, Instant now) {
        StatusDetails details = begun(counts(now), evicting.state().isInProgress())
                .withCondition(EVICTION, new Text(evicting.state().status(),
                        new Blocked(evicting.state().reason(), evicting.message())));
        if (evicting.slowed().isPresent()) {
            details = details.withCondition(
                    BACKOFF, Condition.TRUE, Reason.CLAIM_GETS_NEW_PODS, evicting.slowed().get());
        }
        return facts().keepsPodsOff() ? details.withCondition(ServerRules.CONDITION, enforced) : details;
    }

    /** Returns what the status of an object shows of its eviction. */
    static Shown shown(CustomResource<?> object) {
        if (!Trees.read(object.status()).at(BEGAN).equals(Tree.of(true))) {
            return Shown.NEVER;
        }
        return object.conditions().stream().anyMatch(condition -> condition.type().equals(EVICTION)
                && condition.status().equals(Condition.TRUE) && condition.observedGeneration() == object.generation())
                        ? Shown.NOW : Shown.ONCE;
    }

    /** Returns the object if its status shows something else of what the next decision reads of it. */
    static Set<ObjectKey> mapShown(@Nullable CustomResource<?> before, @Nullable CustomResource<?> after) {
        return MapFunction.differs(before, after, DeclaredTaints::remembered)
                ? Set.of(MapFunction.latest(before, after).key())
                : Set.of();
    }

    private static List<Object> remembered(CustomResource<?> object) {
        Tree status = Trees.read(object.status());
        return List.of(shown(object), status.at(OBSERVED_TAINT), status.at(ObservedTaints.FIELD));
    }
}
