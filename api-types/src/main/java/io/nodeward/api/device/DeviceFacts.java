package io.nodeward.api.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What an expression sees of a device. A name without a slash has the driver as its domain.
 *
 * @param driver the driver of its slice
 * @param allowMultipleAllocations false if absent
 * @param attributes by qualified name
 * @param capacity by qualified name: quantities as they are written; one that is none fails every expression that is asked
 *     about the device
 */
public record DeviceFacts(
        String driver, boolean allowMultipleAllocations, Map<String, DeviceAttribute> attributes,
        Map<String, String> capacity) {
    private static final List<String> KINDS = List.of("int", "bool", "string", "version");

    /** A copy of what is given. */
    public DeviceFacts {
        attributes = Map.copyOf(attributes);
        capacity = Map.copyOf(capacity);
    }

    /** Returns about how many bytes of heap the attributes and the capacity take. */
    long heapBytes() {
        return Stream.concat(
                attributes.entrySet().stream().map(each -> each.getKey().length() + heapBytes(each.getValue())),
                capacity.entrySet().stream().map(each -> each.getKey().length() + heapBytes(each.getValue())))
                .mapToLong(bytes -> 2L * Metadata.PER_TEXT + bytes).sum();
    }

    private static int heapBytes(String text) {
        return Metadata.PER_TEXT + text.length();
    }

    private static int heapBytes(DeviceAttribute attribute) {
        return switch (attribute) {
            case DeviceAttribute.Text(String text) -> heapBytes(text);
            case DeviceAttribute.Version(String text) -> heapBytes(text);
            case DeviceAttribute.Several(List<DeviceAttribute> values) ->
                    values.stream().mapToInt(DeviceFacts::heapBytes).sum();
            default -> 0;
        };
    }

    /** Of a device of a slice, whatever it holds. */
    public static DeviceFacts of(String driver, Tree device) {
        return new DeviceFacts(driver, device.at("allowMultipleAllocations").equals(Tree.of(true)),
                each(device.at("attributes"), DeviceFacts::attribute),
                each(device.at("capacity"), capacity -> amount(capacity.at("value"))));
    }

    private static <V> Map<String, V> each(Tree fields, Function<Tree, V> reader) {
        Map<String, V> values = new HashMap<>();
        if (fields instanceof Tree.Fields(Map<String, Tree> all)) {
            all.forEach((name, value) -> values.put(name, reader.apply(value)));
        }
        return values;
    }

    /** A client may write a number, of which a server makes a text. */
    private static String amount(Tree value) {
        return value instanceof Tree.Other(String word, String text) && word.equals("number") ? text : value.string();
    }

    /** Lists come first, as Kubernetes looks at them. */
    private static DeviceAttribute attribute(Tree attribute) {
        for (String kind : KINDS) {
            Tree list = attribute.at(kind + "s");
            if (!(list instanceof Tree.Absent)) {
                return several(kind, list);
            }
        }
        for (String kind : KINDS) {
            Tree value = attribute.at(kind);
            if (!(value instanceof Tree.Absent)) {
                return one(kind, value);
            }
        }
        return new DeviceAttribute.Unknown();
    }

    private static DeviceAttribute several(String kind, Tree list) {
        List<DeviceAttribute> values = list.elements().stream().map(value -> one(kind, value)).toList();
        return list instanceof Tree.Items && !values.contains(new DeviceAttribute.Unknown())
                ? new DeviceAttribute.Several(values)
                : new DeviceAttribute.Unknown();
    }

    private static DeviceAttribute one(String kind, Tree value) {
        return switch (value) {
            case Tree.Text(String text) when kind.equals("string") -> new DeviceAttribute.Text(text);
            case Tree.Text(String text) when kind.equals("version") -> new DeviceAttribute.Version(text);
            case Tree.Other(String word, String text) when kind.equals("bool") && word.equals("boolean") ->
                    new DeviceAttribute.Bool(text.equals("true"));
            case Tree.Other number when kind.equals("int") && number.integer().isPresent() ->
                    new DeviceAttribute.Int(number.integer().getAsLong());
            default -> new DeviceAttribute.Unknown();
        };
    }
}
