package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the metadata of an object, and a tree of the parts that a shape names. */
final class ShapeReader<T> implements Projection.Reader<T> {
    private static final Shape NOTHING = Shape.of(List.of());

    private final Supplier<TreeReader> trees;
    private final MetadataPart metadata;
    private final BiFunction<Metadata, Tree, T> object;
    private final Shape shape;

    /** Reads metadata. */
    @FunctionalInterface
    interface MetadataPart {
        /** @param others reads the fields that are no part of {@link Metadata} */
        Metadata read(JsonParser p, Json.FieldReader others) throws IOException;
    }

    /**
     * Creates a reader that fails if a list has more elements than an object can have.
     *
     * @param object makes a value of the parts, whatever they hold
     * @param parts fields from the root of the object to each part, as in {@code spec.paused}; at the end there may be several, as in
     *     {@code spec.template.kind,name}
     */
    ShapeReader(BiFunction<Metadata, Tree, T> object, String... parts) {
        this(() -> new TreeReader(Integer.MAX_VALUE), object, parts);
    }

    /** @param trees reads the parts of one object */
    ShapeReader(Supplier<TreeReader> trees, BiFunction<Metadata, Tree, T> object, String... parts) {
        this(trees, MetadataReader::read, object, shape(parts));
    }

    ShapeReader(Supplier<TreeReader> trees, MetadataPart metadata, BiFunction<Metadata, Tree, T> object,
            Shape shape) {
        this.trees = trees;
        this.metadata = metadata;
        this.object = object;
        this.shape = shape;
    }

    static Shape shape(String... parts) {
        return Shape.of(Arrays.stream(parts).flatMap(ShapeReader::paths).toList());
    }

    private static Stream<List<String>> paths(String part) {
        List<String> path = List.of(part.split("\\."));
        return Stream.of(path.getLast().split(",")).map(
                field -> Stream.concat(path.subList(0, path.size() - 1).stream(), Stream.of(field)).toList());
    }

    @Override
    public T read(JsonParser p) throws IOException {
        TreeReader reader = trees.get();
        Metadata[] kept = {MetadataReader.absent()};
        Map<String, Tree> parts = new HashMap<>();
        Map<String, Tree> inMetadata = new HashMap<>();
        Shape ofMetadata = shape.at("metadata").orElse(NOTHING);
        Json.fields(p, (field, value) -> {
            if (field.equals("metadata")) {
                kept[0] = metadata.read(value, (name, other) -> part(reader, ofMetadata, name, other, inMetadata));
                parts.put(field, new Tree.Fields(inMetadata));
            } else {
                part(reader, shape, field, value, parts);
            }
        });
        return object.apply(kept[0], new Tree.Fields(parts));
    }

    private static void part(TreeReader reader, Shape shape, String field, JsonParser value, Map<String, Tree> parts)
            throws IOException {
        Optional<Shape> part = shape.at(field);
        if (part.isPresent()) {
            parts.put(field, reader.read(value, part.get()));
        } else {
            value.skipChildren();
        }
    }
}
