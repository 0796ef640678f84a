package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** An object whose spec, and what else is read of its status, are read by the one who defines the kind. */
final class CustomResourceReader<S> implements Projection.Reader<CustomResource<S>> {
    private final Shape spec;
    private final BiFunction<Tree, Tree, S> both;

    CustomResourceReader(Shape spec, BiFunction<Tree, Tree, S> both) {
        this.spec = spec;
        this.both = both;
    }

    @Override
    public CustomResource<S> read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        Tree status = new Tree.Fields(parts.status);
        return new CustomResource<>(parts.metadata, parts.generation, both.apply(parts.tree, status),
                parts.conditions, Trees.text(status), parts.created);
    }

    private final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private long generation;
        private Instant created = Instant.EPOCH;
        private Tree tree = Tree.ABSENT;
        private final List<Condition> conditions = new ArrayList<>(1);
        private final Map<String, Tree> status = new HashMap<>();

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::metadataField);
                case "spec" -> tree = TreeReader.lenient().read(p, spec);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void metadataField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "generation" -> generation = Json.integer(p);
                case "creationTimestamp" -> created = ConditionReader.time(Json.text(p));
                default -> p.skipChildren();
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
