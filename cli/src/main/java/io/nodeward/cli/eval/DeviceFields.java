package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.json.Trees;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** Reads devices and what selects them, as slices and rules have them. */
final class DeviceFields {
    /** Of a taint that does not say when it was added. */
    private static final Instant NEVER = Instant.MIN;

    private DeviceFields() {}

    static DeviceName name(JsonNode device) {
        return new DeviceName(Fields.text(device, "driver"), Fields.text(device, "pool"), Fields.text(device, "name"));
    }

    static DeviceFacts facts(JsonNode device) {
        return DeviceFacts.of(Fields.text(device, "driver"), Trees.read(device.toString()));
    }

    /** Of the spec of a ResourceSlice. */
    static Slice<DeviceFacts> slice(JsonNode spec) {
        String driver = Fields.text(spec, "driver");
        JsonNode pool = Fields.object(spec, "pool");
        return new Slice<>(driver, Fields.text(pool, "name"), pool.path("generation").asLong(),
                pool.path("resourceSliceCount").asLong(),
                Fields.objects(spec, "devices", device -> new Device<>(Fields.text(device, "name"),
                        DeviceFacts.of(driver, Trees.read(device.toString())),
                        Fields.objects(device, "taints", DeviceFields::taint))));
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
                    added.isEmpty() ? NEVER : Instant.parse(added));
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
        return taint.added().equals(NEVER) ? json : json.put("timeAdded", taint.added().toString());
    }
}
