package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.MachineTaint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a list of declared taints. */
final class MachineTaintReader {
    private MachineTaintReader() {}

    static List<MachineTaint> list(JsonParser p) throws IOException {
        List<MachineTaint> taints = new ArrayList<>(4);
        Json.elements(p, element -> taints.add(taint(element)));
        return taints;
    }

    private static MachineTaint taint(JsonParser p) throws IOException {
        String[] texts = {"", "", "", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "key" -> texts[0] = MetadataReader.POOL.text(value);
                case "value" -> texts[1] = MetadataReader.POOL.text(value);
                case "effect" -> texts[2] = MetadataReader.POOL.text(value);
                case "propagation" -> texts[3] = MetadataReader.POOL.text(value);
                default -> value.skipChildren();
            }
        });
        return new MachineTaint(texts[0], texts[1], texts[2], texts[3]);
    }
}
