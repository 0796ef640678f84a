package io.nodeward.core.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.api.json.Trees;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
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
    static DeviceFacts gpu() {
        return new DeviceFacts("gpu.example.com", false,
                Map.of("model", new DeviceAttribute.Text("a100"), "memoryClass", new DeviceAttribute.Int(3), "healthy",
                        new DeviceAttribute.Bool(true), "driverVersion", new DeviceAttribute.Version("1.2.3"),
                        "other.example.com/zone", new DeviceAttribute.Text("west")),
                Map.of("memory", "40Gi"));
    }

    static DeviceFacts device(JsonNode json) {
        return DeviceFacts.of(json.get("driver").textValue(), Trees.read(json.toString()));
    }
}
