package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.Optional;

/** Reads some parts of an object, as trees. Anybody may create such objects, so what is read of each is bounded. */
final class PartsReader<T> implements Projection.Reader<T> {
    private final Shape metadata;
    private final Shape spec;
    private final Shape status;
    private final Projection.ObjectOfOwnedParts<T> object;

    PartsReader(Shape metadata, Shape spec, Shape status, Projection.ObjectOfOwnedParts<T> object) {
        this.metadata = metadata;
        this.spec = spec;
        this.status = status;
        this.object = object;
    }

    @Override
    public T read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return object.of(parts.kept, parts.managedTree, parts.specTree, parts.statusTree);
    }

    private final class Parts {
        private Metadata kept = MetadataReader.absent();
        private Tree managedTree = Tree.ABSENT;
        private Tree specTree = Tree.ABSENT;
        private Tree statusTree = Tree.ABSENT;

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> kept = MetadataReader.bounded(p, metadata, this::other);
                case "spec" -> specTree = TreeReader.bounded().read(p, spec);
                case "status" -> statusTree = TreeReader.bounded().read(p, status);
                default -> p.skipChildren();
            }
        }

        private void other(String field, JsonParser p) throws IOException {
            Optional<Shape> managedFields = metadata.at("managedFields").filter(any -> field.equals("managedFields"));
            if (managedFields.isPresent()) {
                managedTree = TreeReader.bounded().read(p, managedFields.get());
            } else {
                p.skipChildren();
            }
        }
    }
}
