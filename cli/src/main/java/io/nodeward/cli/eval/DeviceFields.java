package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.api.json.Trees;
import io.nodeward.core.rules.device.Pools.Device;
import io.nodeward.core.rules.device.Pools.Slice;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;

/** Reads devices and what selects them, as slices and rules have them. */
final class DeviceFields {
    /** The time of what has none. */
    private static final Instant NEVER = Instant.MIN;

    private DeviceFields() {}

    static DeviceName name(JsonNode device) {
        return new DeviceName(Fields.text(device, "driver"), Fields.text(device, "pool"), Fields.text(device, "name"));
    }

    static DeviceFacts facts(JsonNode device) {
        return DeviceFacts.of(Fields.text(device, "driver"), Trees.read(device.toString()));
    }

    /** Reads a device of a driver, with the taints that the driver has published. */
    static Device<DeviceFacts> device(String driver, JsonNode device) {
        return new Device<>(Fields.text(device, "name"), DeviceFacts.of(driver, Trees.read(device.toString())),
                Fields.objects(device, "taints", DeviceFields::taint));
    }

    /** Reads a ResourceSlice. */
    static Slice<DeviceFacts> slice(JsonNode slice) {
        JsonNode spec = Fields.object(slice, "spec");
        String driver = Fields.text(spec, "driver");
        JsonNode pool = Fields.object(spec, "pool");
        return new Slice<>(driver, Fields.text(pool, "name"), Fields.text(spec, "nodeName"),
                time(slice.path("metadata"), "creationTimestamp"), pool.path("generation").asLong(),
                pool.path("resourceSliceCount").asLong(),
                Fields.objects(spec, "devices", device -> device(driver, device)),
                true);
    }

    /** Returns the {@code deviceSelector} of a rule's spec, if there is one. */
    static Optional<DeviceTaintSelector> selector(JsonNode spec) {
        if (!spec.hasNonNull("deviceSelector")) {
            return Optional.empty();
        }
        JsonNode selector = Fields.object(spec, "deviceSelector");
        return Optional.of(new DeviceTaintSelector(text(selector, "deviceClassName"), text(selector, "driver"),
                text(selector, "pool"), text(selector, "device"), expressions(selector),
                publishedTaint(selector)));
    }

    private static Optional<PublishedTaint> publishedTaint(JsonNode selector) {
        if (!selector.hasNonNull("publishedTaint")) {
            return Optional.empty();
        }
        JsonNode taint = Fields.object(selector, "publishedTaint");
        return Optional.of(new PublishedTaint(Fields.text(taint, "key"), text(taint, "value"), text(taint, "effect")));
    }

    private static Optional<String> text(JsonNode object, String field) {
        return object.hasNonNull(field) ? Optional.of(Fields.text(object, field)) : Optional.empty();
    }

    /** Reads {@code selectors}, as classes, claims and rules have them. */
    static List<String> expressions(JsonNode spec) {
        return Fields.objects(spec, "selectors", selector -> Fields.text(Fields.object(selector, "cel"), "expression"));
    }

    static DeviceTaint taint(JsonNode taint) {
        return new DeviceTaint(Fields.text(taint, "key"), Fields.text(taint, "value"), Fields.text(taint, "effect"),
                time(taint, "timeAdded"));
    }

    private static Instant time(JsonNode object, String field) {
        String text = Fields.text(object, field);
        try {
            return text.isEmpty() ? NEVER : Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new UnusableCaseException(field + " is not a time: " + text);
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
