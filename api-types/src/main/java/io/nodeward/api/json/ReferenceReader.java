package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** A reference of Cluster API to an object: those of v1beta2 name a group, those of v1beta1 group and version. */
final class ReferenceReader {
    private String group = "";
    private String kind = "";
    private String name = "";

    private ReferenceReader() {}

    /** Made of a group, a kind and a name, each empty if it is not there. */
    @FunctionalInterface
    interface Reference<T> {
        T of(String group, String kind, String name);
    }

    static <T> T read(JsonParser p, Reference<T> reference) throws IOException {
        ReferenceReader reader = new ReferenceReader();
        Json.fields(p, reader::field);
        return reference.of(reader.group, reader.kind, reader.name);
    }

    private void field(String field, JsonParser p) throws IOException {
        switch (field) {
            case "apiGroup" -> group = MetadataReader.POOL.text(p);
            case "apiVersion" -> group = Json.text(p).replaceFirst("/.*", "");
            case "kind" -> kind = MetadataReader.POOL.text(p);
            case "name" -> name = MetadataReader.POOL.text(p);
            default -> p.skipChildren();
        }
    }
}
