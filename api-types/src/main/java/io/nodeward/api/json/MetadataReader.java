package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Collects {@code metadata} while an object is read. */
final class MetadataReader {
    static final InternPool POOL = new InternPool();
    /** Characters; API servers send 20. A cache tells no listener of a new version alone, so no limit of memory counts it. */
    private static final int LONGEST_VERSION = 256;

    private final Json.FieldReader others;
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String resourceVersion = "";
    private Map<String, String> labels = Map.of();
    private Map<String, String> annotations = Map.of();
    private List<OwnerRef> owners = List.of();
    private boolean deleting;

    private MetadataReader(Json.FieldReader others) {
        this.others = others;
    }

    static Metadata read(JsonParser p) throws IOException {
        return read(p, (field, value) -> value.skipChildren());
    }

    /** @param others reads the fields that are no part of {@link Metadata} */
    static Metadata read(JsonParser p, Json.FieldReader others) throws IOException {
        MetadataReader reader = new MetadataReader(others);
        Json.fields(p, reader::field);
        return reader.metadata();
    }

    static Metadata absent() {
        return new MetadataReader((field, value) -> {}).metadata();
    }

    private Metadata metadata() {
        return new Metadata(
                new ObjectKey(namespace, name), uid, resourceVersion, labels, annotations, owners, deleting);
    }

    private void field(String field, JsonParser p) throws IOException {
        switch (field) {
            case "name" -> name = POOL.text(p); // most often also a label and an annotation
            case "namespace" -> namespace = POOL.text(p);
            case "uid" -> uid = Json.text(p);
            case "resourceVersion" -> resourceVersion = version(p);
            case "labels" -> labels = Json.texts(p, POOL);
            case "annotations" -> annotations = Json.texts(p, POOL);
            case "ownerReferences" -> owners = owners(p);
            case "deletionTimestamp" -> deleting = !Json.text(p).isEmpty();
            default -> others.read(field, p);
        }
    }

    private static String version(JsonParser p) throws IOException {
        String text = Json.text(p);
        if (text.length() > LONGEST_VERSION) {
            throw new IOException("a resourceVersion is too long");
        }
        return text;
    }

    private static List<OwnerRef> owners(JsonParser p) throws IOException {
        List<OwnerRef> owners = new ArrayList<>(1);
        Json.elements(p, element -> owners.add(owner(element)));
        return owners;
    }

    private static OwnerRef owner(JsonParser p) throws IOException {
        String[] texts = {"", "", "", ""};
        boolean[] controller = {false};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "apiVersion" -> texts[0] = POOL.text(value);
                case "kind" -> texts[1] = POOL.text(value);
                case "name" -> texts[2] = POOL.text(value);
                case "uid" -> texts[3] = POOL.text(value);
                case "controller" -> controller[0] = Json.isTrue(value);
                default -> value.skipChildren();
            }
        });
        return new OwnerRef(texts[0], texts[1], texts[2], texts[3], controller[0]);
    }
}
