package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;

/** An object of which only some parts are read, as trees. */
final class PartsReader<T> implements Projection.Reader<T> {
    private final Shape managedFields;
    private final Shape spec;
    private final Shape status;
    private final Projection.ObjectOfOwnedParts<T> object;

    PartsReader(Shape managedFields, Shape spec, Shape status, Projection.ObjectOfOwnedParts<T> object) {
        this.managedFields = managedFields;
        this.spec = spec;
        this.status = status;
        this.object = object;
    }

    @Override
    public T read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return object.of(parts.metadata, parts.managedTree, parts.specTree, parts.statusTree);
    }

    private final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private Tree managedTree = Tree.ABSENT;
        private Tree specTree = Tree.ABSENT;
        private Tree statusTree = Tree.ABSENT;

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::other);
                case "spec" -> specTree = TreeReader.lenient().read(p, spec);
                case "status" -> statusTree = TreeReader.lenient().read(p, status);
                default -> p.skipChildren();
            }
        }

        private void other(String field, JsonParser p) throws IOException {
            if (field.equals("managedFields") && !managedFields.fields().isEmpty()) {
                managedTree = TreeReader.lenient().read(p, managedFields);
            } else {
                p.skipChildren();
            }
        }
    }
}
