package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.core.KubeconfigSecret;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

final class KubeconfigSecretReader implements Projection.Reader<KubeconfigSecret> {
    @Override
    public KubeconfigSecret read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        String[] texts = {"", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "metadata" -> metadata[0] = MetadataReader.read(value);
                case "type" -> texts[0] = Json.text(value);
                case "data" -> Json.fields(value, (name, v) -> {
                    if (name.equals("value")) {
                        texts[1] = Json.text(v);
                    } else {
                        v.skipChildren();
                    }
                });
                default -> value.skipChildren();
            }
        });
        return new KubeconfigSecret(metadata[0], texts[0], decoded(texts[1]));
    }

    // The API server refuses data that is not base64; should some arrive all the same, it is as good as none.
    private static String decoded(String base64) {
        try {
            return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
