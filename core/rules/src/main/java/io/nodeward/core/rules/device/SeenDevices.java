package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.device.TaintedDevices.Publication;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The devices that slices publish or claims have, as they were seen last, each with a number. Not safe for several threads.
 *
 * @param <F> what expressions read of a device
 */
final class SeenDevices<F> {
    private final Map<DeviceName, Seen<F>> devices = new HashMap<>();
    private final Set<DeviceName> allocated = new HashSet<>();
    /** Those that devices have. The smallest that none has is the next one's, so that sets of them are small. */
    private final BitSet numbers = new BitSet();
    private long changes;

    /**
     * A device.
     *
     * @param number which no other device has now
     * @param changed when its facts have changed: the changes of all devices are counted
     */
    record Seen<F>(DeviceName name, int number, long changed, Optional<F> facts, Publication publication) {}

    Optional<Seen<F>> get(DeviceName name) {
        return Optional.ofNullable(devices.get(name));
    }

    void published(DeviceName name, F facts) {
        set(name, Optional.of(facts), Publication.PUBLISHED);
    }

    void gone(DeviceName name) {
        if (allocated.contains(name)) {
            get(name).ifPresent(device -> set(name, device.facts(), Publication.GONE));
        } else {
            forget(name);
        }
    }

    void allocated(DeviceName name) {
        if (allocated.add(name) && !devices.containsKey(name)) {
            set(name, Optional.empty(), Publication.NEVER_SEEN);
        }
    }

    void released(DeviceName name) {
        if (allocated.remove(name)
                && get(name).filter(device -> device.publication() != Publication.PUBLISHED).isPresent()) {
            forget(name);
        }
    }

    private void set(DeviceName name, Optional<F> facts, Publication publication) {
        Optional<Seen<F>> was = get(name);
        int number = was.map(Seen::number).orElseGet(() -> numbers.nextClearBit(0));
        numbers.set(number);
        long changed = was.filter(device -> device.facts().equals(facts)).map(Seen::changed).orElseGet(() -> ++changes);
        devices.put(name, new Seen<>(name, number, changed, facts, publication));
    }

    private void forget(DeviceName name) {
        get(name).ifPresent(device -> numbers.clear(device.number()));
        devices.remove(name);
    }
}
