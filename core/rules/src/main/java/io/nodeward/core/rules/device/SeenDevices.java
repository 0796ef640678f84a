package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The devices that slices publish or claims have, as they were seen last, each with a number. Not safe for several threads.
 *
 * @param <F> what expressions read of a device
 */
final class SeenDevices<F> {
    private final Map<DeviceName, Seen<F>> devices = new HashMap<>();
    /** The numbers that devices have. The smallest that none has is the next one's, so that sets of them are small. */
    private final BitSet numbers = new BitSet();
    private long changes;

    /**
     * A device.
     *
     * @param number which no other device has now
     * @param changed when its facts have changed: the changes of all devices are counted
     * @param facts empty if no slice has published it while this looked
     */
    record Seen<F>(DeviceName name, int number, long changed, Optional<F> facts, boolean isPublished) {}

    Optional<Seen<F>> get(DeviceName name) {
        return Optional.ofNullable(devices.get(name));
    }

    /**
     * Notes what there is of a device now. A device that no slice publishes is as it was, for as long as a claim has it.
     *
     * @param published its facts, if a slice publishes it
     */
    void set(DeviceName name, Optional<F> published, boolean isClaimed) {
        Optional<Seen<F>> was = get(name);
        if (published.isEmpty() && !isClaimed) {
            was.ifPresent(device -> numbers.clear(device.number()));
            devices.remove(name);
            return;
        }
        Optional<F> facts = published.or(() -> was.flatMap(Seen::facts));
        int number = was.map(Seen::number).orElseGet(() -> numbers.nextClearBit(0));
        numbers.set(number);
        long changed = was.filter(device -> device.facts().equals(facts)).map(Seen::changed).orElseGet(() -> ++changes);
        devices.put(name, new Seen<>(name, number, changed, facts, published.isPresent()));
    }
}
