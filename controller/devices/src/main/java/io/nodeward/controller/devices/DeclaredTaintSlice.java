package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.core.rules.device.EvictionFacts;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.ObservedTaints;
import io.nodeward.core.rules.device.ServerRule;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.runtime.status.StatusDetails;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A DeviceTaintSlice with what is known of it.
 *
 * @param serverRules none if it is being deleted, or has a fault
 */
record DeclaredTaintSlice(
        CustomResource<DeviceTaintSlice> object, TaintSliceMatch match, EvictionFacts facts,
        List<ServerRule> serverRules) implements DeclaredTaints {
    /** Returns what is known of a DeviceTaintSlice; empty while that is nothing of its newest spec. */
    static Optional<DeclaredTaintSlice> of(CustomResource<DeviceTaintSlice> slice, Devices devices) {
        String name = slice.key().name();
        return devices.match(name, slice.spec()).map(match -> new DeclaredTaintSlice(slice, match,
                EvictionFacts.of(slice.spec(), match, slice.metadata().deleting()),
                match.needed() > 0 && !slice.metadata().deleting()
                        ? ListedTaints.serverRules(slice.metadata().uid(), name, slice.spec())
                        : List.of()));
    }

    /** Returns the taints, each as a rule with a bucket of its own. A taint that the status does not show yet evicts no pod. */
    @Override
    public Map<String, Evicting> evicting() {
        Map<String, Evicting> all = new HashMap<>();
        ObservedTaints observed = observed();
        ListedTaints.evicting(object.spec(), entry -> observed.since(entry).orElse(Instant.MAX))
                .forEach((device, taints) -> taints.forEach((id, rule) -> all.put(object.key().name() + "/" + id,
                        new Evicting(object.metadata().uid() + "/" + id, rule, Set.of(device)))));
        return all;
    }

    @Override
    public Set<DeviceName> selected(Devices devices, Set<DeviceName> some) {
        return devices.isKnown(object.key().name()) ? some : Set.of();
    }

    /** Returns since when its taints count, as the status shows it. */
    private ObservedTaints observed() {
        return ObservedTaints.of(Trees.read(object.status()).at(ObservedTaints.FIELD));
    }

    /** Nothing is counted for a slice with a fault. */
    @Override
    public StatusDetails counts(Instant now) {
        StatusDetails details = StatusDetails.NONE.withField(OBSERVED, object.generation())
                .withField(ObservedTaints.FIELD, seen(now).tree());
        return isValid()
                ? details.withField("devices", match.devices().published())
                        .withField("unknown", match.devices().unknown())
                        .withField("pods", match.devices().evicted().count())
                : details;
    }

    /** While a slice is invalid its taints are not in effect: what was seen before stays. */
    private ObservedTaints seen(Instant now) {
        return isValid() ? observed().now(object.spec(), now) : observed();
    }
}
