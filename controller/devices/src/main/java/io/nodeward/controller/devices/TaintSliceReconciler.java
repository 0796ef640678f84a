package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Decides what the status of a DeviceTaintSlice shows, and lets the server's scheduler know of its taints. */
final class TaintSliceReconciler implements Reconciler<ObjectKey> {
    private final Devices devices;
    private final ServerRules serverRules;
    private final EvictingTaintSlices evicting;
    private final ClaimBackoff backoff;
    private final InstantSource clock;

    TaintSliceReconciler(
            Devices devices, ServerRules serverRules, EvictingTaintSlices evicting, ClaimBackoff backoff,
            InstantSource clock) {
        this.devices = devices;
        this.serverRules = serverRules;
        this.evicting = evicting;
        this.backoff = backoff;
        this.clock = clock;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<DeviceTaintSlice>> found = devices.caches().taintSlices().get(key);
        if (found.isEmpty()) {
            evicting.forget(key.name());
            return new Decision.Gone("the DeviceTaintSlice does not exist");
        }
        CustomResource<DeviceTaintSlice> slice = found.get();
        Target target = Target.of(DeviceTaintSlice.DEFINITION, slice);
        Optional<String> awaited = devices.caches().awaited();
        if (awaited.isPresent()) {
            return waiting(awaited.get(), target);
        }
        return devices.match(key.name(), slice.spec())
                .map(match -> decide(slice, target, new TaintSliceStatus(slice, match)))
                .orElseGet(() -> waiting("all that its newest spec is about", target)); // the holder brings the key back
    }

    private Decision waiting(String what, Target target) {
        evicting.stop(target.regarding().key().name());
        return new Decision.Waiting(what, Optional.of(target));
    }

    private Decision decide(CustomResource<DeviceTaintSlice> slice, Target target, TaintSliceStatus status) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        TaintSliceMatch match = status.match();
        Wanted wanted = Wanted.of(slice, match);
        Text enforced = serverRules.enforced(wanted, now);
        if (match.needed() > 0 && !Enforcement.isKnown(enforced)) {
            return waiting(enforced.why().message(), target);
        }
        Text evicts = evicting.decide(slice, match, wanted, enforced);
        Target shown = target.with(status.details(enforced, evicts, EvictionProgress.isInProgress(evicts)
                ? backoff.slowed(ListedTaints.evictedFrom(slice.spec()))
                : Optional.empty(), now));
        return serverRules.change(shown, wanted, now).orElseGet(() -> status.blocked()
                .<Decision>map(why -> new Decision.Blocked(shown, why, true))
                .orElseGet(() -> new Decision.InEffect(shown, List.of())));
    }
}
