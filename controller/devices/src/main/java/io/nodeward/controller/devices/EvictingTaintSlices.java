package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.rules.device.TaintSliceMatch;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The taints of DeviceTaintSlices that evict pods now: each does so as a rule of its own, with a bucket of its own. */
final class EvictingTaintSlices {
    private final Devices devices;
    private final EvictingRules rules;
    /** By which the taints of each DeviceTaintSlice evict. */
    private final Map<String, Set<String>> names = new ConcurrentHashMap<>();

    EvictingTaintSlices(Devices devices, EvictingRules rules) {
        this.devices = devices;
        this.rules = rules;
    }

    /**
     * Decides which taints evict from now on: as with rules, only when the status is seen that shows it.
     *
     * @param wanted of the server, so that its scheduler knows of the taints
     * @return what the status is to show
     */
    Text decide(CustomResource<DeviceTaintSlice> slice, TaintSliceMatch match, Wanted wanted, Text enforced) {
        Map<DeviceName, Map<String, DeviceTaintRule>> taints =
                ListedTaints.evicting(slice.spec(), any -> Optional.of(Instant.EPOCH));
        Map<String, String> uids = taints.values().stream().flatMap(all -> all.keySet().stream())
                .collect(Collectors.toMap(id -> name(slice, id), id -> uid(slice, id)));
        keep(slice.key().name(), uids.keySet());
        return rules.decide(slice, uids,
                past -> EvictionProgress.of(slice.spec(), match, enforced, () -> rules.evictsUnenforced()
                        || EvictionProgress.hasBegun(slice) && isOneKeptOff(taints, wanted), past),
                () -> acting(slice, wanted));
    }

    /** By which no rule evicts. */
    private static String name(CustomResource<DeviceTaintSlice> slice, String taint) {
        return slice.key().name() + "/" + taint;
    }

    private static String uid(CustomResource<DeviceTaintSlice> slice, String taint) {
        return slice.metadata().uid() + "/" + taint;
    }

    /** What evicts already need not wait for the scheduler to know of other devices. */
    private boolean isOneKeptOff(Map<DeviceName, Map<String, DeviceTaintRule>> taints, Wanted wanted) {
        return taints.entrySet().stream().anyMatch(of -> of.getValue().values().stream()
                .anyMatch(taint -> rules.keptOff(wanted, taint.taint()).test(of.getKey())));
    }

    private Map<String, Acting> acting(CustomResource<DeviceTaintSlice> slice, Wanted wanted) {
        Map<String, Acting> acting = new HashMap<>();
        ListedTaints.evicting(slice.spec(), TaintSliceStatus.observed(slice)::since).forEach(
                (device, taints) -> taints.forEach((id, taint) -> acting.put(name(slice, id), new Acting(
                        uid(slice, id), "DeviceTaintSlice " + slice.key().name(), taint, Set.of(device),
                        () -> EvictingRules.isDeclared(slice, devices.caches().taintSlices()),
                        () -> rules.keptOff(wanted, taint.taint()),
                        some -> devices.isKnown(slice.key().name()) ? some : Set.of()))));
        return acting;
    }

    /** The rules among those that evict. */
    static Set<ObjectKey> rules(Set<String> names) {
        return names.stream().filter(name -> name.indexOf('/') < 0).map(ObjectKey::clusterScoped)
                .collect(Collectors.toSet());
    }

    /** The DeviceTaintSlices among them. */
    static Set<ObjectKey> slices(Set<String> names) {
        return names.stream().filter(name -> name.indexOf('/') >= 0)
                .map(name -> ObjectKey.clusterScoped(name.substring(0, name.indexOf('/')))).collect(Collectors.toSet());
    }

    /** One that comes back has no burst: the status remembers that the slice has evicted. */
    private void keep(String slice, Set<String> now) {
        Optional.ofNullable(names.put(slice, Set.copyOf(now))).ifPresent(before -> before.stream()
                .filter(name -> !now.contains(name)).forEach(rules::forget));
    }

    void stop(String slice) {
        names.getOrDefault(slice, Set.of()).forEach(rules::stop);
    }

    /** There is no such DeviceTaintSlice. */
    void forget(String slice) {
        Optional.ofNullable(names.remove(slice)).ifPresent(all -> all.forEach(rules::forget));
    }
}
