package io.nodeward.api.device;

import java.util.List;

/** The value of an attribute of a device, as it is published. */
public sealed interface DeviceAttribute {
    /** A whole number. */
    record Int(long value) implements DeviceAttribute {}

    /** A truth value. */
    record Bool(boolean value) implements DeviceAttribute {}

    /** A text. */
    record Text(String value) implements DeviceAttribute {}

    /** A semantic version; one that is none fails every expression that is asked about the device. */
    record Version(String value) implements DeviceAttribute {}

    /** Several values of one kind, which a feature gate of Kubernetes allows. */
    record Several(List<DeviceAttribute> values) implements DeviceAttribute {
        /** A copy of what is given. */
        public Several {
            values = List.copyOf(values);
        }
    }

    /** A value of a kind that is not known here, which fails every expression that is asked about the device. */
    record Unknown() implements DeviceAttribute {}
}
