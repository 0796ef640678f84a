package io.nodeward.core.rules.device;

/** The answer whether something holds for a device. An answer that is not known is neither yes nor no. */
public sealed interface DeviceMatch {
    /** The answer that it holds. */
    DeviceMatch YES = new Known(true);
    /** The answer that it does not hold. */
    DeviceMatch NO = new Known(false);

    /** The answer for a device that a claim has and no slice publishes. */
    DeviceMatch NOT_PUBLISHED = new Unknown("no ResourceSlice publishes the device");

    /** An answer that is known. */
    record Known(boolean holds) implements DeviceMatch {}

    /** An answer that cannot be found out. */
    record Unknown(String why) implements DeviceMatch {}

    /** Returns an answer that is known. */
    static DeviceMatch of(boolean holds) {
        return holds ? YES : NO;
    }
}
