package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceTaintSelector;

/** A rule with its answers about the devices that it has been asked of. Not safe for several threads. */
final class RuleDevices {
    private final String name;
    private final DeviceTaintSelector selector;
    private final MatchBits answers = new MatchBits();
    private long asked;

    RuleDevices(String name, DeviceTaintSelector selector) {
        this.name = name;
        this.selector = selector;
    }

    String name() {
        return name;
    }

    DeviceTaintSelector selector() {
        return selector;
    }

    MatchBits answers() {
        return answers;
    }

    /** Of all devices that its names allow and that have not changed since then; 0 if of none. */
    long asked() {
        return asked;
    }

    void asked(long time) {
        asked = time;
    }

    /** Whether it selects the device or may select it. */
    boolean has(int device) {
        return !answers.get(device).equals(DeviceMatch.NO);
    }
}
