package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.DeviceTaintSlice.Entry;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.EvictingRules.Acting;
import io.nodeward.controller.devices.ServerRules.Wanted;
import io.nodeward.core.rules.device.ListedTaints;
import io.nodeward.core.runtime.status.StatusDetails.Text;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The taints of DeviceTaintSlices that evict pods now: each does so as a rule of its own, with a bucket of its own. */
final class EvictingTaintSlices {
    private final DeviceScope scope;
    private final EvictingRules rules;
    /** By which the taints of each DeviceTaintSlice evict. */
    private final Map<String, Set<String>> names = new ConcurrentHashMap<>();

    EvictingTaintSlices(DeviceScope scope, EvictingRules rules) {
        this.scope = scope;
        this.rules = rules;
    }

    /**
     * Decides which taints evict from now on: as with rules, only when the status is seen that shows it.
     *
     * @param wanted of the server, so that its scheduler knows of the taints
     * @return what the status is to show
     */
    Text decide(CustomResource<DeviceTaintSlice> slice, TaintSliceMatch match, Wanted wanted, Text enforced) {
        String owner = slice.key().name();
        Set<String> all = taints(slice, any -> Optional.of(Instant.EPOCH)).keySet();
        keep(owner, all);
        Text text = EvictionProgress.of(slice.spec(), match, enforced,
                rules.evictsUnenforced() || goesOn(slice, wanted),
                rules.past(slice, all.stream().collect(Collectors.toMap(name -> name, name -> uid(slice, name)))));
        boolean evicts = EvictionProgress.isInProgress(text) && !slice.metadata().deleting();
        if (evicts) {
            all.forEach(name -> rules.announce(name, uid(slice, name), !EvictionProgress.hasBegun(slice)));
        }
        if (evicts && EvictionProgress.isReported(slice)) {
            taints(slice, TaintSliceStatus.observed(slice)::since)
                    .forEach((name, taint) -> rules.act(name, acting(slice, wanted, name, taint)));
        } else {
            stop(owner);
        }
        return text;
    }

    /** What evicts already need not wait for the scheduler to know of other devices. */
    private boolean goesOn(CustomResource<DeviceTaintSlice> slice, Wanted wanted) {
        return EvictionProgress.hasBegun(slice) && taints(slice, any -> Optional.of(Instant.EPOCH)).values().stream()
                .anyMatch(taint -> devices(taint).stream().anyMatch(rules.keptOff(wanted, taint.taint())));
    }

    private static Set<DeviceName> devices(DeviceTaintRule taint) {
        return taint.selector().stream().map(selector -> new DeviceName(selector.driver().orElse(""),
                selector.pool().orElse(""), selector.device().orElse(""))).collect(Collectors.toSet());
    }

    /** By names that no rule has. */
    private static Map<String, DeviceTaintRule> taints(
            CustomResource<DeviceTaintSlice> slice, Function<Entry, Optional<Instant>> since) {
        Map<String, DeviceTaintRule> taints = new HashMap<>();
        ListedTaints.evicting(slice.spec(), since).values().forEach(
                all -> all.forEach((id, taint) -> taints.put(slice.key().name() + "/" + id, taint)));
        return taints;
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

    private static String uid(CustomResource<DeviceTaintSlice> slice, String name) {
        return slice.metadata().uid() + "/" + name;
    }

    private Acting acting(
            CustomResource<DeviceTaintSlice> slice, Wanted wanted, String name, DeviceTaintRule taint) {
        return new Acting(uid(slice, name), DeviceTaintSlice.DEFINITION.kind() + " " + slice.key().name(), taint,
                devices(taint),
                () -> scope.caches().taintSlices().get(slice.key())
                        .filter(found -> EvictingRules.isSame(slice, found)).isPresent(),
                () -> rules.keptOff(wanted, taint.taint()), any -> true);
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
