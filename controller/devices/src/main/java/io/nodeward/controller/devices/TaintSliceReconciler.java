package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Decides what the status of a DeviceTaintSlice shows, and lets the server's scheduler know of its taints. */
final class TaintSliceReconciler implements Reconciler<ObjectKey> {
    private final DeviceScope scope;
    private final ServerRules serverRules;
    private final InstantSource clock;

    TaintSliceReconciler(DeviceScope scope, ServerRules serverRules, InstantSource clock) {
        this.scope = scope;
        this.serverRules = serverRules;
        this.clock = clock;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<DeviceTaintSlice>> found = scope.caches().taintSlices().get(key);
        if (found.isEmpty()) {
            return new Decision.Gone("the DeviceTaintSlice does not exist");
        }
        CustomResource<DeviceTaintSlice> slice = found.get();
        Target target = Target.of(DeviceTaintSlice.DEFINITION, slice);
        Optional<String> awaited = scope.caches().awaited();
        if (awaited.isPresent()) {
            return new Decision.Waiting(awaited.get(), Optional.of(target));
        }
        return scope.match(key.name(), slice.spec())
                .map(match -> decide(slice, target, new TaintSliceStatus(slice.generation(), match)))
                .orElseGet(() -> new Decision.Waiting("its newest spec", Optional.of(target)));
    }

    private Decision decide(CustomResource<DeviceTaintSlice> slice, Target target, TaintSliceStatus status) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        if (status.match().needed() > 0 && !serverRules.versions().isKnown()) {
            return new Decision.Waiting("an answer of the server whether it has DeviceTaintRules of "
                    + ServerRules.GROUP, Optional.of(target));
        }
        Wanted wanted = Wanted.of(slice, status.match());
        Target shown = target.with(status.details(serverRules.enforced(wanted, now)));
        return serverRules.change(shown, wanted, now).orElseGet(() -> status.blocked()
                .<Decision>map(why -> new Decision.Blocked(shown, why, true))
                .orElseGet(() -> new Decision.InEffect(shown, List.of())));
    }
}
