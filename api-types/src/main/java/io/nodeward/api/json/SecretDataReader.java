package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.core.SecretData;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

final class SecretDataReader implements Projection.Reader<SecretData> {
    @Override
    public SecretData read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        String[] type = {""};
        Map<String, byte[]> data = new HashMap<>();
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "metadata" -> metadata[0] = MetadataReader.read(value);
                case "type" -> type[0] = Json.text(value);
                case "data" -> Json.fields(value, (name, v) -> data.put(name, decoded(Json.text(v))));
                default -> value.skipChildren();
            }
        });
        return new SecretData(metadata[0], type[0], data);
    }

    // As in KubeconfigSecretReader: what is not base64 is as good as nothing.
    private static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }
}
