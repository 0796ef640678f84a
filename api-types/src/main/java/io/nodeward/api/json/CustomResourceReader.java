package io.nodeward.api.json;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Reads an object whose spec, and what else is read of its status, are read by the code that defines the kind. */
final class CustomResourceReader {
    private static final Shape OF_METADATA = Shape.of(List.of(List.of("generation"), List.of("creationTimestamp")));

    private CustomResourceReader() {}

    static <S> Projection.Reader<CustomResource<S>> of(Shape spec, BiFunction<Tree, Tree, S> both) {
        Shape parts = new Shape(false, Map.of("metadata", OF_METADATA, "spec", spec, "status", Shape.WHOLE));
        return new ShapeReader<>(TreeReader::lenient, MetadataReader::read,
                (metadata, object) -> resource(metadata, object, both), parts);
    }

    private static <S> CustomResource<S> resource(Metadata metadata, Tree object, BiFunction<Tree, Tree, S> both) {
        Map<String, Tree> others = new HashMap<>();
        if (object.at("status") instanceof Tree.Fields(Map<String, Tree> fields)) {
            others.putAll(fields);
            others.remove("conditions");
        }
        Tree status = new Tree.Fields(others);
        Tree more = object.at("metadata");
        return new CustomResource<>(metadata, more.at("generation").integer().orElse(0),
                both.apply(object.at("spec"), status),
                object.at("status").at("conditions").elements().stream().map(Parts::ownKindCondition).toList(),
                Trees.text(status), ConditionReader.time(Parts.scalar(more.at("creationTimestamp"))));
    }
}
