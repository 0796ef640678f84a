package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

final class NodeReader implements Projection.Reader<Node> {
    @Override
    public Node read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new Node(parts.metadata, parts.providerId, parts.taints, parts.created);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String providerId = "";
        private List<Taint> taints = List.of();
        private String created = "";

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p, this::metadataField);
                case "spec" -> Json.fields(p, this::specField);
                default -> p.skipChildren();
            }
        }

        private void metadataField(String field, JsonParser p) throws IOException {
            if (field.equals("creationTimestamp")) {
                created = MetadataReader.POOL.text(p); // the same in each version of the Node
            } else {
                p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "providerID" -> providerId = Json.text(p);
                case "taints" -> taints = taints(p);
                default -> p.skipChildren();
            }
        }

        private static List<Taint> taints(JsonParser p) throws IOException {
            List<Taint> taints = new ArrayList<>(4);
            Json.elements(p, element -> taints.add(TaintJson.read(element)));
            return taints;
        }
    }
}
