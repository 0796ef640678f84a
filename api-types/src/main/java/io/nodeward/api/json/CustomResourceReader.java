package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** An object whose spec is read by the one who defines the kind. */
final class CustomResourceReader<S> implements Projection.Reader<CustomResource<S>> {
    private final Shape shape;
    private final Function<Tree, S> spec;

    CustomResourceReader(Shape shape, Function<Tree, S> spec) {
        this.shape = shape;
        this.spec = spec;
    }

    @Override
    public CustomResource<S> read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new CustomResource<>(parts.metadata, parts.generation, spec.apply(parts.tree), parts.conditions,
                Trees.text(new Tree.Fields(parts.status)));
    }

    private final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private long generation;
        private Tree tree = Tree.ABSENT;
        private final List<Condition> conditions = new ArrayList<>(1);
        private final Map<String, Tree> status = new HashMap<>();

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::metadataField);
                case "spec" -> tree = TreeReader.lenient().read(p, shape);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void metadataField(String field, JsonParser p) throws IOException {
            if (field.equals("generation")) {
                generation = Json.integer(p);
            } else {
                p.skipChildren();
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            if (field.equals("conditions")) {
                Json.elements(p, element -> conditions.add(ConditionReader.whole(element)));
            } else {
                status.put(field, TreeReader.lenient().read(p, Shape.WHOLE));
            }
        }
    }
}
