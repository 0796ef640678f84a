package io.nodeward.core.cel;

import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The variable {@code device} of expressions, which is made once for each device, however many expressions are asked. */
public final class DeviceVariable {
    private final Map<String, Object> variables;
    /** Why no expression can be asked. */
    private final Optional<String> defect;

    DeviceVariable(DeviceFacts device, SelectorFeatures features) {
        Map<String, Object> made = Map.of();
        Optional<String> why = Optional.empty();
        try {
            made = Map.of("device", fields(device, features));
        } catch (UnusableValueException e) {
            why = Optional.of(e.getMessage());
        } catch (RuntimeException e) { // whatever a value hits upon concerns this device alone
            why = Optional.of("the device cannot be read: " + e);
        }
        this.variables = made;
        this.defect = why;
    }

    /** @throws IllegalArgumentException if the device has a value that cannot be read */
    Map<String, Object> variables() {
        defect.ifPresent(why -> {
            throw new IllegalArgumentException(why);
        });
        return variables;
    }

    private static Map<String, Object> fields(DeviceFacts device, SelectorFeatures features) {
        return Map.of("driver", device.driver(), "allowMultipleAllocations", device.allowMultipleAllocations(),
                "attributes", domains(device, device.attributes(), (name, value) -> value(name, value, features)),
                "capacity", domains(device, device.capacity(), DeviceVariable::quantity));
    }

    /**
     * In the order of the names, so that each process that reads the device has the same answers. Kubernetes takes any of two
     * names that mean the same; here the one with the domain counts.
     */
    private static <V> DomainMap domains(
            DeviceFacts device, Map<String, V> values, BiFunction<String, V, Object> reader) {
        Map<String, Map<String, Object>> domains = new LinkedHashMap<>();
        new TreeMap<>(values).forEach((name, published) -> {
            Object value = reader.apply(name, published);
            int slash = name.indexOf('/');
            String domain = slash < 0 ? device.driver() : name.substring(0, slash);
            Map<String, Object> ofDomain = domains.computeIfAbsent(domain, any -> new LinkedHashMap<>());
            if (slash < 0) {
                ofDomain.putIfAbsent(name, value);
            } else {
                ofDomain.put(name.substring(slash + 1), value);
            }
        });
        return new DomainMap(Collections.unmodifiableMap(domains));
    }

    private static Object value(String name, DeviceAttribute attribute, SelectorFeatures features) {
        try {
            return switch (attribute) {
                case DeviceAttribute.Int(long value) -> value;
                case DeviceAttribute.Bool(boolean value) -> value;
                case DeviceAttribute.Text(String value) -> value;
                case DeviceAttribute.Version(String value) -> version(value);
                case DeviceAttribute.Several(List<DeviceAttribute> values) when features.listAttributes() ->
                        values.stream().map(value -> value(name, value, features)).toList();
                case DeviceAttribute.Several several ->
                        throw new IllegalArgumentException("unsupported attribute value");
                case DeviceAttribute.Unknown unknown ->
                        throw new IllegalArgumentException("unsupported attribute value");
            };
        } catch (UnusableValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UnusableValueException("attribute " + name + ": " + e.getMessage());
        }
    }

    private static Quantity quantity(String name, String text) {
        try {
            return Quantity.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UnusableValueException("capacity " + name + ": " + e.getMessage());
        }
    }

    private static Semver version(String value) {
        try {
            return Semver.parse(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("parse semantic version: " + e.getMessage(), e);
        }
    }

    private static final class UnusableValueException extends IllegalArgumentException {
        private final String why;

        UnusableValueException(String why) {
            super(why);
            this.why = why;
        }

        @Override
        public String getMessage() {
            return why;
        }
    }
}
