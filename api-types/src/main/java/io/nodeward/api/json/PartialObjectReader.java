package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.PartialObject;
import java.io.IOException;

final class PartialObjectReader {
    private PartialObjectReader() {}

    static PartialObject read(JsonParser p) throws IOException {
        Metadata[] metadata = {MetadataReader.absent()};
        Json.fields(p, (field, value) -> {
            if (field.equals("metadata")) {
                metadata[0] = MetadataReader.read(value);
            } else {
                value.skipChildren();
            }
        });
        return new PartialObject(metadata[0]);
    }
}
