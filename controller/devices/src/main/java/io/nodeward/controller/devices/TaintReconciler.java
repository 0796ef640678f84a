package io.nodeward.controller.devices;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.RecoveringDevices;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides what the status of a DeviceTaintRule or DeviceTaintSlice shows and whether it evicts pods, and writes the rules by which the
 * server's scheduler learns of its taints.
 */
final class TaintReconciler implements Reconciler<ObjectKey> {
    private static final ObjectKind RULES = ObjectKind.of(DeviceTaintRule.DEFINITION);

    private final Kind kind;
    private final Devices devices;
    private final ServerRules serverRules;
    private final Evictions evictions;
    private final Recoveries recoveries;
    private final TaintMeters meters;
    private final InstantSource clock;

    TaintReconciler(
            Kind kind, Devices devices, ServerRules serverRules, Evictions evictions, Recoveries recoveries,
            TaintMeters meters, InstantSource clock) {
        this.kind = kind;
        this.devices = devices;
        this.serverRules = serverRules;
        this.evictions = evictions;
        this.recoveries = recoveries;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Decision reconcile(ObjectKey object) {
        DeviceKey key = new DeviceKey(kind, object);
        Optional<? extends CustomResource<?>> found = devices.caches().declared(kind).get(object);
        if (found.isEmpty()) {
            meters.forget(key);
            evictions.forget(key);
            recoveries.forget(key);
            return new Decision.Gone("the " + DeviceKey.definition(kind).kind() + " does not exist");
        }
        Target target = Target.of(DeviceKey.definition(kind), found.get());
        Optional<String> awaited = devices.caches().awaited();
        if (awaited.isPresent()) { // counted without them, there would be fewer
            return waiting(key, awaited.get(), target);
        }
        return devices.source(found.get(), serverRules.devices(found.get())).map(source -> decide(source, target))
                .orElseGet(() -> waiting(key, kind == Kind.RULE ? "the evaluation of its newest spec on all devices"
                        : "all that its newest spec is about", target));
    }

    private Decision waiting(DeviceKey key, String what, Target target) {
        evictions.stop(key);
        meters.show(key, TaintMeters.State.WAITING);
        return new Decision.Waiting(what, Optional.of(target));
    }

    private Decision decide(TaintSource source, Target target) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        TaintStatus status = new TaintStatus(source, devices.caches().unknownSlices());
        meters.show(source);
        if (source.object().spec() instanceof DeviceTaintRule rule && status.needsTime(rule, now)) {
            evictions.stop(source.key());
            meters.show(source.key(), TaintMeters.State.WAITING);
            return stampTime(rule, status, target, now);
        }
        Optional<RecoveringDevices> recovering = serverRules.owned(source.object())
                .flatMap(owned -> recoveries.look(source, owned, now));
        Optional<ServerRules.Plan> plan = serverRules.plan(
                source, recovering.map(RecoveringDevices::names).orElse(List.of()), now);
        Text enforced = serverRules.enforced(source, plan);
        if (source.facts().keepsPodsOff() && !ServerRules.isKnown(enforced)) {
            return waiting(source.key(), enforced.why().message(), target);
        }
        Evictions.Progress evicting = evictions.decide(source, plan.map(ServerRules.Plan::steps));
        meters.show(source.key(), TaintMeters.State.of(source, enforced, evicting.state()));
        Target shown = target.with(status.details(enforced, recovering, evicting, now));
        Optional<Result.RequeueAfter> recheck = recovering.flatMap(recoveries::recheck);
        Optional<Blocked> blocked = status.blocked();
        List<Finding> findings =
                blocked.stream().map(why -> new Finding(why.reason(), why.message(), true, false)).toList();
        return serverRules.change(shown, source, plan, findings, recheck, now).orElseGet(() -> blocked
                .<Decision>map(why -> new Decision.Blocked(shown, why, !source.isValid(), recheck))
                .orElseGet(() -> new Decision.InEffect(shown, List.of(), recheck)));
    }

    /** Sets the time of a rule's taint. A user who applies the rule without the time leaves it to this field manager. */
    private Decision stampTime(DeviceTaintRule rule, TaintStatus status, Target target, Instant now) {
        CustomResource<?> object = status.source().object();
        ObjectChange change = ObjectChange.apply(RULES, object.key(),
                Tree.of(Map.of("spec", Map.of("taint", Map.of("timeAdded", now.toString())))))
                .on(ObjectChange.Preconditions.of(object.metadata())).seenIn(devices.caches().rules());
        return new Decision.Change(rule.taint().timeAdded().isEmpty() ? target.with(status.counts(false)) : target,
                change, rule, List.of(), Optional.empty());
    }
}
