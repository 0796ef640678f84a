package io.nodeward.core.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The published cases of expressions, and devices to ask about. */
final class Cases {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Cases() {}

    static List<JsonNode> published() {
        String path = "/io/nodeward/core/testkit/vectors/device.json";
        try (InputStream in = Cases.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException(path + " is not on the class path: build nodeward-core-testkit (-am)");
            }
            List<JsonNode> cases = new ArrayList<>();
            JSON.readTree(in).get("cases").forEach(c -> {
                if (c.get("kind").textValue().equals("cel")) {
                    cases.add(c);
                }
            });
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A device with attributes of each kind, and capacity. */
    static Device gpu() {
        return new Device("gpu.example.com", false,
                Map.of("model", new Device.Text("a100"), "memoryClass", new Device.Int(3), "healthy",
                        new Device.Bool(true), "driverVersion", new Device.Version("1.2.3"), "other.example.com/zone",
                        new Device.Text("west")),
                Map.of("memory", Quantity.parse("40Gi")));
    }

    static Device device(JsonNode json) {
        Map<String, Device.Attribute> attributes = new HashMap<>();
        json.path("attributes").properties()
                .forEach(entry -> attributes.put(entry.getKey(), attribute(entry.getValue())));
        Map<String, Quantity> capacity = new HashMap<>();
        json.path("capacity").properties().forEach(
                entry -> capacity.put(entry.getKey(), Quantity.parse(entry.getValue().get("value").textValue())));
        return new Device(json.get("driver").textValue(), json.path("allowMultipleAllocations").asBoolean(), attributes,
                capacity);
    }

    private static Device.Attribute attribute(JsonNode json) {
        String kind = json.fieldNames().next();
        if (!kind.endsWith("s")) {
            return attribute(kind, json.get(kind));
        }
        List<Device.Attribute> values = new ArrayList<>();
        json.get(kind).forEach(value -> values.add(attribute(kind.substring(0, kind.length() - 1), value)));
        return new Device.Several(values);
    }

    private static Device.Attribute attribute(String kind, JsonNode value) {
        return switch (kind) {
            case "int" -> new Device.Int(value.longValue());
            case "bool" -> new Device.Bool(value.booleanValue());
            case "string" -> new Device.Text(value.textValue());
            case "version" -> new Device.Version(value.textValue());
            default -> throw new IllegalArgumentException(kind);
        };
    }
}
