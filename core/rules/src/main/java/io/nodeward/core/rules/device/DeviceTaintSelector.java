package io.nodeward.core.rules.device;

import java.util.List;
import java.util.Optional;

/**
 * The {@code deviceSelector} of a DeviceTaintRule: all that it says has to hold, so that an empty one selects every device. A
 * rule without one selects none.
 *
 * @param deviceClassName the class whose selectors have to hold
 * @param driver of the device
 * @param pool of the device
 * @param device its name in the pool
 * @param expressions all of which have to hold
 */
public record DeviceTaintSelector(
        Optional<String> deviceClassName, Optional<String> driver, Optional<String> pool, Optional<String> device,
        List<String> expressions) {

    /** A copy of what is given. */
    public DeviceTaintSelector {
        expressions = List.copyOf(expressions);
    }

    /** What is known about one device but its name; asked only if the name fits. */
    public interface Facts {
        /** Whether the selectors of a class hold. */
        DeviceMatch ofClass(String className);

        /** Whether an expression holds. */
        DeviceMatch of(String expression);
    }

    /** Whether the selector, if there is one, selects a device. The first thing that does not hold, or that nobody knows, decides. */
    public static DeviceMatch match(Optional<DeviceTaintSelector> selector, DeviceName name, Facts facts) {
        return selector.map(present -> present.match(name, facts)).orElse(DeviceMatch.NO);
    }

    private DeviceMatch match(DeviceName name, Facts facts) {
        if (!isName(driver, name.driver()) || !isName(pool, name.pool()) || !isName(device, name.device())) {
            return DeviceMatch.NO;
        }
        DeviceMatch match = deviceClassName.map(facts::ofClass).orElse(DeviceMatch.YES);
        for (int i = 0; i < expressions.size() && match == DeviceMatch.YES; i++) {
            match = facts.of(expressions.get(i));
        }
        return match;
    }

    private static boolean isName(Optional<String> wanted, String name) {
        return wanted.isEmpty() || wanted.get().equals(name);
    }
}
