package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.rules.device.Pools.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.Comparator;
import java.util.function.BiFunction;

/**
 * The taints that devices have: first those of their ResourceSlices, then one of each DeviceTaintRule that selects them. No
 * taint replaces another one.
 */
public final class DeviceTaints {
    private static final Comparator<DeviceName> ORDER = Comparator.comparing(DeviceName::driver)
            .thenComparing(DeviceName::pool).thenComparing(DeviceName::device);

    private DeviceTaints() {}

    /** A DeviceTaintRule: the devices that it selects get its taint. */
    public record Rule(Optional<DeviceTaintSelector> selector, DeviceTaint taint) {}

    /**
     * The taints of each device, in the order of the names.
     *
     * @param devices as {@link Pools#published()} has them
     * @param match whether a rule selects a device, as {@link SelectorMatch#of} says
     * @return or why that is not known of some device
     */
    public static <F> Result of(
            Map<DeviceName, Device<F>> devices, List<Rule> rules, BiFunction<Rule, DeviceName, DeviceMatch> match) {
        Map<DeviceName, Device<F>> sorted = new TreeMap<>(ORDER);
        sorted.putAll(devices);
        Map<DeviceName, List<DeviceTaint>> taints = new TreeMap<>(ORDER);
        for (Map.Entry<DeviceName, Device<F>> device : sorted.entrySet()) {
            List<DeviceTaint> all = new ArrayList<>(device.getValue().taints());
            for (Rule rule : rules) {
                switch (match.apply(rule, device.getKey())) {
                    case DeviceMatch.Unknown(String why) -> {
                        return new Result.Unknown(device.getKey(), why);
                    }
                    case DeviceMatch.Known(boolean holds) -> {
                        if (holds) {
                            all.add(rule.taint());
                        }
                    }
                }
            }
            taints.put(device.getKey(), List.copyOf(all));
        }
        return new Result.Known(taints);
    }

    /** All taints, or why some are not known. */
    public sealed interface Result {
        /** All of them. */
        record Known(Map<DeviceName, List<DeviceTaint>> taints) implements Result {}

        /** The first device of which it is not known. */
        record Unknown(DeviceName device, String why) implements Result {}
    }
}
