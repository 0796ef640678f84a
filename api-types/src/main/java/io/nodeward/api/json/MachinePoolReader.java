package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A MachinePool, from either version. */
final class MachinePoolReader implements Projection.Reader<MachinePool> {
    @Override
    public MachinePool read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return parts.pool();
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private final MachineTemplateReader template = new MachineTemplateReader();
        private String clusterName = "";
        private final List<String> providerIds = new ArrayList<>();
        private final List<NodeRef> nodes = new ArrayList<>();
        private final List<Condition> conditions = new ArrayList<>(0);

        MachinePool pool() {
            return new MachinePool(metadata, clusterName,
                    template.template(), template.infrastructure(), providerIds, nodes,
                    conditions);
        }

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "clusterName" -> clusterName = MetadataReader.POOL.text(p);
                case "providerIDList" -> Json.firstElements(p, element -> providerIds.add(Json.text(element)));
                case "template" -> Json.fields(p, template::field);
                default -> p.skipChildren();
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            if (field.equals("nodeRefs")) {
                Json.firstElements(p, element -> nodes.add(node(element)));
            } else {
                ConditionReader.own(field, p, conditions::add);
            }
        }

        private static NodeRef node(JsonParser p) throws IOException {
            String[] texts = {"", ""};
            Json.fields(p, (field, value) -> {
                switch (field) {
                    case "name" -> texts[0] = MetadataReader.POOL.text(value);
                    case "uid" -> texts[1] = Json.text(value);
                    default -> value.skipChildren();
                }
            });
            return new NodeRef(texts[0], texts[1]);
        }
    }
}
