package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.DeviceKey;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides what the status of a DeviceTaintRule or DeviceTaintSlice shows and whether it evicts pods, and writes the rules by which the
 * server's scheduler learns of its taints.
 */
final class TaintReconciler<S> implements Reconciler<ObjectKey> {
    private final Source<S> source;
    private final DeviceCaches caches;
    private final ServerRules serverRules;
    private final Evictions evictions;
    private final RuleMeters meters;
    private final InstantSource clock;

    /**
     * A kind of objects that declare taints.
     *
     * @param known what is known of an object; empty while it is not all known, and then the holder brings the key back
     * @param awaited what an object waits for meanwhile
     */
    record Source<S>(
            Kind kind, CustomResourceDefinition definition, ObjectCache<CustomResource<S>> cache,
            Function<CustomResource<S>, Optional<? extends DeclaredTaints>> known, String awaited) {
        static Source<DeviceTaintRule> rules(Devices devices, ServerRules serverRules) {
            return new Source<>(Kind.RULE, DeviceTaintRule.DEFINITION, devices.caches().rules(),
                    rule -> DeclaredRule.of(rule, devices, serverRules),
                    "the evaluation of its newest spec on all devices");
        }

        static Source<DeviceTaintSlice> taintSlices(Devices devices) {
            return new Source<>(Kind.TAINT_SLICE, DeviceTaintSlice.DEFINITION, devices.caches().taintSlices(),
                    slice -> DeclaredTaintSlice.of(slice, devices), "all that its newest spec is about");
        }
    }

    TaintReconciler(
            Source<S> source, DeviceCaches caches, ServerRules serverRules, Evictions evictions, RuleMeters meters,
            InstantSource clock) {
        this.source = source;
        this.caches = caches;
        this.serverRules = serverRules;
        this.evictions = evictions;
        this.meters = meters;
        this.clock = clock;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<S>> found = source.cache().get(key);
        if (found.isEmpty()) {
            meters.forget(new DeviceKey(source.kind(), key));
            evictions.forget(new DeviceKey(source.kind(), key));
            return new Decision.Gone("the " + source.definition().kind() + " does not exist");
        }
        Target target = Target.of(source.definition(), found.get());
        Optional<String> awaited = caches.awaited();
        if (awaited.isPresent()) { // counted without them, there would be fewer
            return waiting(awaited.get(), target);
        }
        return source.known().apply(found.get()).map(declared -> decide(declared, target))
                .orElseGet(() -> waiting(source.awaited(), target));
    }

    private Decision waiting(String what, Target target) {
        DeviceKey key = new DeviceKey(source.kind(), target.regarding().key());
        evictions.stop(key);
        meters.show(key, RuleMeters.State.WAITING);
        return new Decision.Waiting(what, Optional.of(target));
    }

    private Decision decide(DeclaredTaints declared, Target target) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        meters.show(declared);
        Optional<Decision> time = declared.stampTime(target, caches, now);
        if (time.isPresent()) {
            evictions.stop(declared.key());
            return time.get();
        }
        Text enforced = serverRules.enforced(declared, now);
        if (declared.facts().keepsPodsOff() && !ServerRules.isKnown(enforced)) {
            return waiting(enforced.why().message(), target);
        }
        DeclaredTaints.Progress evicting = evictions.decide(declared, enforced);
        meters.show(declared.key(), RuleMeters.State.of(declared, enforced, evicting.state()));
        Target shown = target.with(declared.details(enforced, evicting, now));
        return serverRules.change(shown, declared, now).orElseGet(() -> declared.blocked()
                .<Decision>map(why -> new Decision.Blocked(shown, why, !declared.isValid()))
                .orElseGet(() -> new Decision.InEffect(shown, List.of())));
    }
}
