package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.DeviceTaintSlice.Entry;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The taints of a DeviceTaintSlice, each as a rule that selects one device by its names. */
public final class ListedTaints {
    private ListedTaints() {}

    /**
     * Returns each of them, whatever its effect is, in their order.
     *
     * @param since when a taint was added; empty if no more is known than the taint says
     */
    public static List<DeviceTaintRule> rules(DeviceTaintSlice slice, Function<Entry, Optional<Instant>> since) {
        return slice.taints().stream().map(entry -> rule(slice, entry,
                since.apply(entry).map(entry.taint()::withTimeAdded).orElseGet(entry::taint))).toList();
    }

    /**
     * Returns the server's rules that stand for the taints of which its scheduler has to know, also for those of devices that no slice
     * publishes yet.
     *
     * @param uid of the DeviceTaintSlice
     */
    public static List<ServerRule> serverRules(String uid, String name, DeviceTaintSlice slice) {
        return acting(slice).flatMap(
                entry -> ServerRule.all(uid, name, rule(slice, entry, entry.taint()), Set.of()).stream()).toList();
    }

    /** Returns how many rules of the server these are. */
    public static int needed(DeviceTaintSlice slice) {
        return (int) acting(slice).count();
    }

    private static Stream<Entry> acting(DeviceTaintSlice slice) {
        return slice.taints().stream().filter(entry -> entry.taint().keepsPodsOff());
    }

    /**
     * Returns the taints that evict, by device and by what tells a taint of a device from the others.
     *
     * @param since when a taint was added
     */
    public static Map<DeviceName, Map<String, DeviceTaintRule>> evicting(
            DeviceTaintSlice slice, Function<Entry, Instant> since) {
        Map<DeviceName, Map<String, DeviceTaintRule>> evicting = new HashMap<>();
        slice.taints().stream().filter(entry -> entry.taint().effect().equals(DeviceVerdict.NO_EXECUTE))
                .forEach(entry -> evicting.computeIfAbsent(slice.name(entry), any -> new HashMap<>())
                        .put(id(entry), rule(slice, entry, entry.taint().withTimeAdded(since.apply(entry)))));
        return evicting;
    }

    /** Returns what tells a taint from all others of the DeviceTaintSlice. */
    static String id(Entry entry) {
        return entry.device() + "/" + entry.taint().key() + "=" + entry.taint().value() + ":" + entry.taint().effect();
    }

    private static DeviceTaintRule rule(DeviceTaintSlice slice, Entry entry, RuleTaint taint) {
        return new DeviceTaintRule(Optional.of(new DeviceTaintSelector(Optional.empty(), Optional.of(slice.driver()),
                Optional.of(slice.pool()), Optional.of(entry.device()), List.of())), taint, OptionalLong.empty(),
                slice.eviction(), "");
    }
}
