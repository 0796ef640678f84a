package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Collects {@code metadata} while an object is read. */
final class MetadataReader {
    static final InternPool POOL = new InternPool();
    /** Characters; API servers send 20. A cache tells no listener of a new version alone, so no limit of memory counts it. */
    private static final int LONGEST_VERSION = 256;
    private static final Shape NOTHING = Shape.of(List.of());

    private final Shape shape;
    private final Json.FieldReader others;
    private String namespace = "";
    private String name = "";
    private String uid = "";
    private String resourceVersion = "";
    private Map<String, String> labels = Map.of();
    private Map<String, String> annotations = Map.of();
    private List<OwnerRef> owners = List.of();
    private boolean deleting;
    /** Characters that labels and annotations may still have. */
    private long left = Long.MAX_VALUE;
    private Consumer<String> exceeded = field -> {};

    private MetadataReader(Shape shape, Json.FieldReader others) {
        this.shape = shape;
        this.others = others;
    }

    static Metadata read(JsonParser p) throws IOException {
        return read(p, Json.NONE);
    }

    /** @param others reads the fields that are no part of {@link Metadata} */
    static Metadata read(JsonParser p, Json.FieldReader others) throws IOException {
        return read(p, new MetadataReader(Shape.WHOLE, others));
    }

    /**
     * Reads the metadata of an object that anybody may create: the labels and annotations that {@code shape} names, and of the
     * owners the controller. Of labels and annotations it reads {@link Projection#MOST_PARTS} and one more, which says that there
     * are too many.
     */
    static Metadata bounded(JsonParser p, Shape shape, Json.FieldReader others) throws IOException {
        return read(p, new MetadataReader(shape, others));
    }

    /**
     * Reads metadata whose labels and annotations are either known whole or not at all, but for the annotation that pauses: nobody
     * must take a part of them for all.
     *
     * @param most characters of all of them together
     * @param exceeded takes the field with which they became more
     */
    static Metadata limited(JsonParser p, int most, Consumer<String> exceeded) throws IOException {
        MetadataReader reader = new MetadataReader(Shape.WHOLE, Json.NONE);
        reader.left = most;
        reader.exceeded = exceeded;
        return read(p, reader);
    }

    private static Metadata read(JsonParser p, MetadataReader reader) throws IOException {
        Json.fields(p, reader::field);
        return reader.metadata();
    }

    static Metadata absent() {
        return new MetadataReader(Shape.WHOLE, Json.NONE).metadata();
    }

    private Metadata metadata() {
        if (left < 0) {
            String paused = annotations.get(ClusterApi.PAUSED_ANNOTATION);
            labels = Map.of();
            annotations = paused == null ? Map.of() : Map.of(ClusterApi.PAUSED_ANNOTATION, paused);
        }
        return new Metadata(
                new ObjectKey(namespace, name), uid, resourceVersion, labels, annotations, owners, deleting);
    }

    private void field(String field, JsonParser p) throws IOException {
        switch (field) {
            case "name" -> name = POOL.text(p); // most often also a label and an annotation
            case "namespace" -> namespace = POOL.text(p);
            case "uid" -> uid = Json.text(p);
            case "resourceVersion" -> resourceVersion = version(p);
            case "labels" -> labels = texts(field, p);
            case "annotations" -> annotations = texts(field, p);
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

    private Map<String, String> texts(String field, JsonParser p) throws IOException {
        if (shape.whole()) {
            Map<String, String> texts = Json.texts(p, POOL);
            count(field, texts);
            return texts;
        }
        return Json.firstTexts(p, POOL, shape.at(field).orElse(NOTHING), Projection.MOST_PARTS + 1);
    }

    private void count(String field, Map<String, String> texts) {
        boolean exceeds = left < 0;
        texts.forEach((key, value) -> left -= key.length() + value.length());
        if (left < 0 && !exceeds) {
            exceeded.accept("metadata." + field);
        }
    }

    private List<OwnerRef> owners(JsonParser p) throws IOException {
        List<OwnerRef> owners = new ArrayList<>(1);
        Json.ElementReader one = element -> {
            OwnerRef owner = owner(element);
            if (shape.whole() || owner.controller() && owners.isEmpty() && isShort(owner)) {
                owners.add(owner);
            }
        };
        if (shape.whole()) {
            Json.elements(p, one);
        } else {
            Json.endless(p, one);
        }
        return owners;
    }

    /** API servers limit none of these texts, but an object with a longer one does not exist. */
    private static boolean isShort(OwnerRef owner) {
        return Stream.of(owner.apiVersion(), owner.kind(), owner.name(), owner.uid())
                .allMatch(text -> text.length() <= InternPool.LONGEST);
    }

    private static OwnerRef owner(JsonParser p) throws IOException {
        boolean[] controller = {false};
        String[] texts = Json.pooled(p,
                (field, value) -> controller[0] |= Json.isTrue(value) && field.equals("controller"),
                "apiVersion", "kind", "name", "uid");
        return new OwnerRef(texts[0], texts[1], texts[2], texts[3], controller[0]);
    }
}
