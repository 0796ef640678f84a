package io.nodeward.core.cel;

import java.util.List;
import java.util.Map;

/**
 * What an expression sees of a device. A name without a slash has the driver as its domain.
 *
 * @param driver the driver of its slice
 * @param allowMultipleAllocations false if absent
 * @param attributes by qualified name
 * @param capacity by qualified name
 */
public record Device(
        String driver, boolean allowMultipleAllocations, Map<String, Attribute> attributes,
        Map<String, Quantity> capacity) {

    /** A copy of what is given. */
    public Device {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
    }

    /** The value of an attribute, as it is published. */
    public sealed interface Attribute {}

    /** A whole number. */
    public record Int(long value) implements Attribute {}

    /** A truth value. */
    public record Bool(boolean value) implements Attribute {}

    /** A text. */
    public record Text(String value) implements Attribute {}

    /** A semantic version; one that is none fails every expression that is asked about the device. */
    public record Version(String value) implements Attribute {}

    /** Several values of one kind, which {@link SelectorFeatures#listAttributes} allows. */
    public record Several(List<? extends Attribute> values) implements Attribute {
        /** A copy of what is given. */
        public Several {
            values = List.copyOf(values);
        }
    }

    /** A value of a kind that is not known here, which fails every expression that is asked about the device. */
    public record Unknown() implements Attribute {}
}
