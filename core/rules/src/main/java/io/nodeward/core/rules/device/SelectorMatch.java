package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import java.util.List;
import java.util.Optional;

/** Whether the {@code deviceSelector} of a DeviceTaintRule selects a device. */
public final class SelectorMatch {
    private SelectorMatch() {}

    /** What is known about one device but its name; asked only if the name fits. */
    public interface Facts {
        /** Whether the selectors of a class hold. */
        DeviceMatch ofClass(String className);

        /** Whether an expression holds. */
        DeviceMatch of(String expression);
    }

    /** Of the selector, if there is one. The first thing that does not hold, or that nobody knows, decides. */
    public static DeviceMatch of(Optional<DeviceTaintSelector> selector, DeviceName name, Facts facts) {
        return selector.map(present -> of(present, name, facts)).orElse(DeviceMatch.NO);
    }

    private static DeviceMatch of(DeviceTaintSelector selector, DeviceName name, Facts facts) {
        if (!isName(selector.driver(), name.driver()) || !isName(selector.pool(), name.pool())
                || !isName(selector.device(), name.device())) {
            return DeviceMatch.NO;
        }
        DeviceMatch match = selector.deviceClassName().map(facts::ofClass).orElse(DeviceMatch.YES);
        List<String> expressions = selector.expressions();
        for (int i = 0; i < expressions.size() && match == DeviceMatch.YES; i++) {
            match = facts.of(expressions.get(i));
        }
        return match;
    }

    private static boolean isName(Optional<String> wanted, String name) {
        return wanted.isEmpty() || wanted.get().equals(name);
    }
}
