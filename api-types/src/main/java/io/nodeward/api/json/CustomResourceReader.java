package io.nodeward.api.json;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
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
        Tree.Fields status = object.at("status") instanceof Tree.Fields read ? read : new Tree.Fields(new HashMap<>());
        List<Condition> conditions = status.at("conditions").elements().stream().map(Parts::ownKindCondition).toList();
        status.fields().remove("conditions"); // the map is this reader's own
        Tree more = object.at("metadata");
        return new CustomResource<>(metadata, more.at("generation").integer().orElse(0),
                both.apply(object.at("spec"), status), conditions, Trees.text(status),
                Json.time(more.at("creationTimestamp").string()));
    }
}
