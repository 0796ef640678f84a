package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.core.cel.Device;
import io.nodeward.core.cel.Device.Attribute;
import io.nodeward.core.cel.Quantity;
import io.nodeward.core.rules.device.DeviceName;
import io.nodeward.core.rules.toleration.DeviceTaint;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Reads devices and what selects them, as slices and rules have them. */
final class DeviceFields {
    private DeviceFields() {}

    static DeviceName name(JsonNode device) {
        return new DeviceName(Fields.text(device, "driver"), Fields.text(device, "pool"), Fields.text(device, "name"));
    }

    static Device device(JsonNode device) {
        Map<String, Attribute> attributes = new HashMap<>();
        properties(device, "attributes").forEach(entry -> attributes.put(entry.getKey(), attribute(entry.getValue())));
        Map<String, Quantity> capacity = new HashMap<>();
        properties(device, "capacity").forEach(entry -> capacity.put(entry.getKey(), quantity(entry)));
        return new Device(Fields.text(device, "driver"), Fields.isTrue(device, "allowMultipleAllocations"), attributes,
                capacity);
    }

    private static Iterable<Map.Entry<String, JsonNode>> properties(JsonNode object, String field) {
        JsonNode map = object.path(field);
        return map.isMissingNode() || map.isNull() ? List.of() : Fields.object(object, field).properties();
    }

    private static Quantity quantity(Map.Entry<String, JsonNode> entry) {
        JsonNode value = entry.getValue().path("value");
        try {
            return Quantity.parse(value.isNumber() ? value.asText() : Fields.text(entry.getValue(), "value"));
        } catch (IllegalArgumentException e) {
            throw new UnusableCaseException("capacity " + entry.getKey() + ": " + e.getMessage());
        }
    }

    /** Lists come first, as Kubernetes looks at them. */
    private static Attribute attribute(JsonNode value) {
        return list(value, "ints", element -> new Device.Int(element.longValue()))
                .or(() -> list(value, "bools", element -> new Device.Bool(element.booleanValue())))
                .or(() -> list(value, "strings", element -> new Device.Text(element.asText())))
                .or(() -> list(value, "versions", element -> new Device.Version(element.asText())))
                .or(() -> one(value, "int", element -> new Device.Int(element.longValue())))
                .or(() -> one(value, "bool", element -> new Device.Bool(element.booleanValue())))
                .or(() -> one(value, "string", element -> new Device.Text(element.asText())))
                .or(() -> one(value, "version", element -> new Device.Version(element.asText())))
                .orElseGet(Device.Unknown::new);
    }

    private static Optional<Attribute> list(JsonNode value, String field, Function<JsonNode, Attribute> reader) {
        if (!value.path(field).isArray()) {
            return Optional.empty();
        }
        List<Attribute> values = new ArrayList<>();
        value.get(field).forEach(element -> values.add(reader.apply(element)));
        return Optional.of(new Device.Several(values));
    }

    private static Optional<Attribute> one(JsonNode value, String field, Function<JsonNode, Attribute> reader) {
        return value.hasNonNull(field) ? Optional.of(reader.apply(value.get(field))) : Optional.empty();
    }

    /** The {@code deviceSelector} of a rule's spec, if there is one. */
    static Optional<DeviceTaintSelector> selector(JsonNode spec) {
        if (!spec.hasNonNull("deviceSelector")) {
            return Optional.empty();
        }
        JsonNode selector = Fields.object(spec, "deviceSelector");
        return Optional.of(new DeviceTaintSelector(text(selector, "deviceClassName"), text(selector, "driver"),
                text(selector, "pool"), text(selector, "device"), expressions(selector)));
    }

    private static Optional<String> text(JsonNode object, String field) {
        return object.hasNonNull(field) ? Optional.of(Fields.text(object, field)) : Optional.empty();
    }

    /** Of {@code selectors}, as classes, claims and rules have them. */
    static List<String> expressions(JsonNode spec) {
        return Fields.objects(spec, "selectors", selector -> Fields.text(Fields.object(selector, "cel"), "expression"));
    }

    static DeviceTaint taint(JsonNode taint) {
        String added = Fields.text(taint, "timeAdded");
        try {
            return new DeviceTaint(Fields.text(taint, "key"), Fields.text(taint, "value"), Fields.text(taint, "effect"),
                    added.isEmpty() ? Instant.EPOCH : Instant.parse(added));
        } catch (DateTimeParseException e) {
            throw new UnusableCaseException("timeAdded is not a time: " + added);
        }
    }

    static ObjectNode json(DeviceTaint taint) {
        ObjectNode json = Answers.object().put("key", taint.key());
        if (!taint.value().isEmpty()) {
            json.put("value", taint.value());
        }
        json.put("effect", taint.effect());
        return taint.added().equals(Instant.EPOCH) ? json : json.put("timeAdded", taint.added().toString());
    }
}
