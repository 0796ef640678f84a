package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.device.DevicePreview;
import io.nodeward.core.rules.device.EvictionState.Shown;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.RecoveringDevices;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.StatusParts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the status of a DeviceTaintRule or DeviceTaintSlice shows, and what a decision reads of it.
 *
 * @param unknownSlices how many ResourceSlices there are whose devices are not known
 */
record TaintStatus(TaintSource source, int unknownSlices) {
    /** The condition that says whether pods are evicted. */
    static final String EVICTION = "EvictionInProgress";
    /** The field that is set once the status has shown that pods are evicted. */
    static final String BEGAN = "evictionBegan";
    private static final String OBSERVED = "observedGeneration";
    private static final String OBSERVED_TAINT = "observedTaint";
    private static final String FAILED = "EvaluationFailed";
    private static final String DEVICES_UNKNOWN = "DevicesUnknown";
    /** The condition that shows why pods are evicted later than they might be. */
    private static final String BACKOFF = "EvictionBackoff";

    /**
     * All that a status may show besides the condition Ready. Counts change with each pod and conditions with each device, so these
     * are written together; users wait for the condition of the eviction.
     */
    static final StatusParts PARTS = new StatusParts(
            Set.of(OBSERVED, OBSERVED_TAINT, ObservedTaints.FIELD, BEGAN, RecoveringDevices.FIELD, "devices",
                    "poolGeneration",
                    "unknown",
                    "pods", "preview"),
            Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, ServerRules.CONDITION, EVICTION),
            Duration.ofSeconds(10), Set.of(FAILED, DEVICES_UNKNOWN, BACKOFF, ServerRules.CONDITION));

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
        return MapFunction.differs(before, after, TaintStatus::remembered)
                ? Set.of(MapFunction.latest(before, after).key())
                : Set.of();
    }

    private static List<Object> remembered(CustomResource<?> object) {
        Tree status = Trees.read(object.status());
        return List.of(shown(object), status.at(OBSERVED_TAINT), status.at(ObservedTaints.FIELD));
    }

    /** Returns why the devices do not have the taints. */
    Optional<Blocked> blocked() {
        return source.isValid() ? source.missingClass()
                .map(name -> new Blocked(Reason.DEVICE_CLASS_NOT_FOUND, "spec.deviceSelector.deviceClassName:"
                        + " there is no DeviceClass " + name + ", so that the rule selects no device"))
                : Optional.of(new Blocked(Reason.INVALID,
                        source.faults().stream().map(FieldFault::text).collect(Collectors.joining("; "))));
    }

    /**
     * Returns all that the status shows.
     *
     * @param enforced whether the scheduler knows of the taints, if it has to
     * @param recovering devices that the rule no longer selects, and that keep its taint; empty if it has no untaintAfter, or nobody
     *     knows which rules the server has. Then the status keeps what it shows, which a restart needs
     */
    StatusDetails details(
            Text enforced, Optional<RecoveringDevices> recovering, Evictions.Progress evicting, Instant now) {
        StatusDetails details = counts(evicting.state().isInProgress());
        Tree recovers = recovering(recovering);
        if (!recovers.equals(Tree.ABSENT)) {
            details = details.withField(RecoveringDevices.FIELD, recovers);
        }
        details = switch (source.object().spec()) {
            case DeviceTaintRule rule -> details.withField(OBSERVED_TAINT, seen(rule));
            case DeviceTaintSlice slice -> details.withField(ObservedTaints.FIELD, seen(slice, now).tree());
            default -> details;
        };
        details = details.withCondition(EVICTION, new Text(evicting.state().status(),
                new Blocked(evicting.state().reason(), evicting.message())));
        if (evicting.slowed().isPresent()) {
            details = details.withCondition(
                    BACKOFF, Condition.TRUE, Reason.CLAIM_GETS_NEW_PODS, evicting.slowed().get());
        }
        return source.facts().keepsPodsOff() ? details.withCondition(ServerRules.CONDITION, enforced) : details;
    }

    private Tree recovering(Optional<RecoveringDevices> known) {
        boolean may = source.isValid() && source.object().spec() instanceof DeviceTaintRule rule
                && !rule.untaintAfter().isEmpty();
        return known.map(devices -> devices.tree(source.object().generation()))
                .orElseGet(() -> may ? before(RecoveringDevices.FIELD) : Tree.ABSENT);
    }

    /**
     * Returns what is counted, which is nothing for an object with a fault. That pods are or were evicted is never forgotten.
     *
     * @param evicting whether pods are evicted now
     */
    StatusDetails counts(boolean evicting) {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, source.object().generation());
        if (evicting || shown(source.object()) != Shown.NEVER) {
            details = details.withField(BEGAN, true);
        }
        if (source.isValid() && source.counts() instanceof Tree.Fields(Map<String, Tree> counts)) {
            for (Map.Entry<String, Tree> count : counts.entrySet()) {
                details = details.withField(count.getKey(), count.getValue());
            }
        }
        Optional<DevicePreview> preview = source.preview().filter(any -> source.isValid());
        return preview.isEmpty() ? details : unknown(failed(details, preview.get()), preview.get());
    }

    private static StatusDetails failed(StatusDetails details, DevicePreview preview) {
        return preview.failed().first().map(first -> details.withCondition(FAILED, Condition.TRUE,
                Reason.EXPRESSION_ERROR, "no taint on " + devices(preview.failed().devices().count())
                        + ", for which an expression has no answer. The first is " + first))
                .orElse(details);
    }

    private StatusDetails unknown(StatusDetails details, DevicePreview preview) {
        Optional<String> ofClaims = preview.unknown().first()
                .map(first -> "it is not known whether the rule selects " + devices(preview.unknown().devices().count())
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

    /** While an object is invalid its taints are not in effect: what was seen before stays. */
    private ObservedTaints seen(DeviceTaintSlice slice, Instant now) {
        ObservedTaints before = ObservedTaints.of(before(ObservedTaints.FIELD));
        return source.isValid() ? before.now(slice, now) : before;
    }

    private Tree seen(DeviceTaintRule rule) {
        Tree before = before(OBSERVED_TAINT);
        return source.isValid() || !(before instanceof Tree.Fields) ? observed(rule.taint()) : before;
    }

    private Tree before(String field) {
        return Trees.read(source.object().status()).at(field);
    }

    private Tree observed(RuleTaint taint) {
        Map<String, Object> observed =
                new HashMap<>(Map.of("effect", taint.effect(), "generation", source.object().generation()));
        taint.timeAdded().ifPresent(time -> observed.put("timeAdded", time.toString()));
        return Tree.of(observed);
    }

    /** Returns whether the time of a rule's taint has to be set, as no user has, or anew, as the effect has become NoExecute. */
    boolean needsTime(DeviceTaintRule rule, Instant now) {
        Optional<Instant> added = rule.taint().timeAdded();
        return source.isValid() && !source.object().metadata().deleting()
                && (added.isEmpty() || hasTimeOfOtherEffect(rule.taint()) && !added.get().equals(now));
    }

    /**
     * Returns whether the effect has become NoExecute and the time is still that of the effect before: pods that tolerate the taint for
     * a time would go too early. If the spec has been edited more than once since it was observed, the effect may have been
     * another meanwhile.
     */
    private boolean hasTimeOfOtherEffect(RuleTaint taint) {
        Tree before = before(OBSERVED_TAINT);
        return taint.effect().equals(DeviceVerdict.NO_EXECUTE) && before instanceof Tree.Fields
                && (!before.at("effect").string().equals(DeviceVerdict.NO_EXECUTE)
                        || source.object().generation() - before.at("generation").integer().orElse(0) > 1)
                && observed(taint).at("timeAdded").equals(before.at("timeAdded"));
    }
}
