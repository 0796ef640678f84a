package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.core.ConfigMap;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

final class ConfigMapReader implements Projection.Reader<ConfigMap> {
    @Override
    public ConfigMap read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        Map<String, String> data = new HashMap<>();
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "metadata" -> metadata[0] = MetadataReader.read(value);
                case "data" -> Json.fields(value, (name, text) -> data.put(name, Json.text(text)));
                default -> value.skipChildren();
            }
        });
        return new ConfigMap(metadata[0], data);
    }
}
