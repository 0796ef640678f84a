package io.nodeward.core.rules.device;

/** Whether something holds for a device. That nobody knows is neither yes nor no. */
public sealed interface DeviceMatch {
    /** It holds. */
    DeviceMatch YES = new Known(true);
    /** It does not hold. */
    DeviceMatch NO = new Known(false);

    /** Of a device that a claim has, and no slice publishes. */
    DeviceMatch NOT_PUBLISHED = new Unknown("no ResourceSlice publishes the device");

    /** It is known. */
    record Known(boolean holds) implements DeviceMatch {}

    /** It cannot be found out. */
    record Unknown(String why) implements DeviceMatch {}

    /** What is known. */
    static DeviceMatch of(boolean holds) {
        return holds ? YES : NO;
    }
}
