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
    private final Projection.ObjectOfMoreParts<T> object;

    PartsReader(Shape metadata, Shape spec, Shape status, Projection.ObjectOfMoreParts<T> object) {
        this.metadata = metadata;
        this.spec = spec;
        this.status = status;
        this.object = object;
    }

    @Override
    public T read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return object.of(parts.kept, parts.otherTree, parts.specTree, parts.statusTree);
    }

    private final class Parts {
        private Metadata kept = MetadataReader.absent();
        private Tree otherTree = Tree.ABSENT;
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
            Optional<Shape> other = metadata.at(field);
            if (other.isPresent()) {
                otherTree = TreeReader.bounded().read(p, other.get());
            } else {
                p.skipChildren();
            }
        }
    }
}
