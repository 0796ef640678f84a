package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSlice;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which DeviceTaintSlices name a device, and which of them something has changed for. Not safe for several threads. */
public final class NamedDevices {
    private final Map<String, DeviceTaintSlice> slices = new HashMap<>();
    private final Map<DeviceName, Set<String>> naming = new HashMap<>();
    private final Set<String> changed = new HashSet<>();

    /** A DeviceTaintSlice has been added, changed or, if it is empty, removed. */
    public void slice(String name, Optional<DeviceTaintSlice> now) {
        Optional.ofNullable(slices.remove(name)).ifPresent(before -> before.taints().forEach(
                entry -> naming.computeIfPresent(before.name(entry),
                        (device, all) -> all.remove(name) && all.isEmpty() ? null : all)));
        now.ifPresent(slice -> {
            slices.put(name, slice);
            slice.taints().forEach(
                    entry -> naming.computeIfAbsent(slice.name(entry), device -> new HashSet<>()).add(name));
        });
        changed.add(name);
    }

    /** Devices came, went or are used by others. */
    public void changed(Collection<DeviceName> devices) {
        devices.forEach(device -> changed.addAll(naming.getOrDefault(device, Set.of())));
    }

    /** Something may have changed for all of them. */
    public void allChanged() {
        changed.addAll(slices.keySet());
    }

    /** Those for which something may have changed since this was asked last. */
    public Set<String> takeChanged() {
        Set<String> all = Set.copyOf(changed);
        changed.clear();
        return all;
    }
}
