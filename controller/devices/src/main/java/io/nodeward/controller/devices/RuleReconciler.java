package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.RuleMatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides what the status of a DeviceTaintRule shows, and sets the time of its taint where nobody has. */
final class RuleReconciler implements Reconciler<ObjectKey> {
    private static final ObjectKind KIND = ObjectKind.of(DeviceTaintRule.DEFINITION);

    private final Devices devices;
    private final ServerRules serverRules;
    private final EvictingRules evicting;
    private final ClaimBackoff backoff;
    private final RuleMeters meters;
    private final InstantSource clock;

    RuleReconciler(
            Devices devices, ServerRules serverRules, EvictingRules evicting, ClaimBackoff backoff,
            RuleMeters meters, InstantSource clock) {
        this.devices = devices;
        this.serverRules = serverRules;
        this.evicting = evicting;
        this.backoff = backoff;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<DeviceTaintRule>> found = devices.caches().rules().get(key);
        if (found.isEmpty()) {
            meters.forget(key.name());
            evicting.forget(key.name());
            return new Decision.Gone("the DeviceTaintRule does not exist");
        }
        CustomResource<DeviceTaintRule> rule = found.get();
        Target target = Target.of(DeviceTaintRule.DEFINITION, rule);
        Optional<String> awaited = devices.caches().awaited();
        if (awaited.isPresent()) { // counted without them, there would be fewer
            return waiting(awaited.get(), target);
        }
        Optional<RuleMatch> match = devices.match(key.name(), rule.spec(), serverRules.devices(rule));
        if (match.isEmpty()) { // the holder brings the key back
            return waiting("the evaluation of its newest spec on all devices", target);
        }
        RuleStatus status = new RuleStatus(rule, match.get(), devices.caches().unknownSlices());
        if (status.isValid()) {
            meters.show(key.name(), match.get());
        } else {
            meters.hide(key.name());
        }
        return decide(rule, target, status);
    }

    private Decision waiting(String what, Target target) {
        String rule = target.regarding().key().name();
        evicting.stop(rule);
        meters.show(rule, RuleMeters.State.WAITING);
        return new Decision.Waiting(what, Optional.of(target));
    }

    private Decision decide(CustomResource<DeviceTaintRule> rule, Target target, RuleStatus status) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (status.isValid() && !rule.metadata().deleting() && needsTime(rule, now)) {
            evicting.stop(rule.key().name());
            Target shown = rule.spec().taint().timeAdded().isEmpty() ? target.with(status.details()) : target;
            return change(shown, added(rule, devices.caches().rules(), now), rule.spec());
        }
        RuleMatch match = status.match();
        Wanted wanted = Wanted.of(rule, match.projected());
        Text enforced = serverRules.enforced(wanted, now);
        if (status.isValid() && rule.spec().taint().keepsPodsOff() && !Enforcement.isKnown(enforced)) {
            return waiting(enforced.why().message(), target);
        }
        Text evicts = evicting.decide(rule, match, wanted, enforced);
        meters.show(rule.key().name(), RuleMeters.State.of(status, enforced, evicts));
        Target shown = target.with(status.details(enforced, evicts,
                EvictionProgress.isInProgress(evicts) ? backoff.slowed(match.inUse()) : Optional.empty()));
        return serverRules.change(shown, wanted, now)
                .orElseGet(() -> decide(shown, status));
    }

    private static boolean needsTime(CustomResource<DeviceTaintRule> rule, Instant now) {
        Optional<Instant> added = rule.spec().taint().timeAdded();
        return added.isEmpty() || RuleStatus.hasTimeOfOtherEffect(rule) && !added.get().equals(now);
    }

    private static Decision change(Target target, ObjectChange update, Object declared) {
        return new Decision.Change(target, update, declared, List.of(), Optional.empty());
    }

    private static Decision decide(Target target, RuleStatus status) {
        Optional<Blocked> blocked = status.blocked();
        return blocked.isPresent()
                ? new Decision.Blocked(target, blocked.get(), !status.isValid())
                : new Decision.InEffect(target, List.of());
    }

    /** Whoever applies the rule without the time leaves it to this field manager. */
    private static ObjectChange added(
            CustomResource<DeviceTaintRule> rule, ObjectCache<CustomResource<DeviceTaintRule>> rules, Instant now) {
        return ObjectChange.apply(KIND, rule.key(),
                Tree.of(Map.of("spec", Map.of("taint", Map.of("timeAdded", now.toString())))))
                .on(ObjectChange.Preconditions.of(rule.metadata())).seenIn(rules);
    }
}
