package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.ServerRules.Owner;
import io.nodeward.controller.devices.ServerRules.Version;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.Projection;
import io.nodeward.core.rules.device.ServerRule;
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
        Optional<Version> server = serverRules.served();
        Optional<Projection> projection = server.map(version -> ServerRules.projection(
                version, slice.metadata().uid(), wanted(slice, status.match()), now));
        Text enforced = projection.map(found -> enforced(status.match(), found)).orElseGet(Enforcement::notServed);
        Target shown = target.with(status.details(enforced));
        return projection.flatMap(found -> found.next(serverRules.room(server.get())))
                .<Decision>map(step -> new Decision.Change(shown, ServerRules.update(
                        server.get(), Owner.of(DeviceTaintSlice.DEFINITION, slice), step, now), step, List.of(),
                        Optional.empty()))
                .orElseGet(() -> status.blocked()
                        .<Decision>map(why -> new Decision.Blocked(shown, why, true))
                        .orElseGet(() -> new Decision.InEffect(shown, List.of())));
    }

    private static List<ServerRule> wanted(CustomResource<DeviceTaintSlice> slice, TaintSliceMatch match) {
        return match.granted() && !slice.metadata().deleting()
                ? ListedTaints.serverRules(slice.metadata().uid(), slice.key().name(), slice.spec())
                : List.of();
    }

    private Text enforced(TaintSliceMatch match, Projection projection) {
        return match.needed() > 0 && !match.granted()
                ? Enforcement.tooManyTaints(match.needed(), serverRules.most())
                : Enforcement.of(projection);
    }
}
