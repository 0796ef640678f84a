package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Small replies of an API server. */
public final class Replies {
    private Replies() {}

    /** The metadata of an object or of a {@code PartialObjectMetadata}. */
    public static Metadata metadata(byte[] object) throws IOException {
        return Projection.METADATA.read(object).metadata();
    }

    /** The versions an {@code APIGroup} serves, the server's preference first. */
    public static List<String> groupVersions(byte[] apiGroup) throws IOException {
        List<String> versions = new ArrayList<>();
        read(apiGroup, (field, value) -> {
            if (field.equals("versions")) {
                Json.elements(value, element -> Json.fields(element, (name, v) -> {
                    if (name.equals("version")) {
                        versions.add(Json.text(v));
                    } else {
                        v.skipChildren();
                    }
                }));
            } else {
                value.skipChildren();
            }
        });
        return versions;
    }

    private static void read(byte[] object, Json.FieldReader reader) throws IOException {
        try (JsonParser p = Json.FACTORY.createParser(object)) {
            p.nextToken();
            Json.fields(p, reader);
        }
    }
}
