package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
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

    /** References of v1beta2 name a group, those of v1beta1 group and version. */
    static InfrastructureRef infrastructure(JsonParser p) throws IOException {
        String[] texts = {"", "", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "apiGroup" -> texts[0] = MetadataReader.POOL.text(value);
                case "apiVersion" -> texts[0] = Json.text(value).replaceFirst("/.*", "");
                case "kind" -> texts[1] = MetadataReader.POOL.text(value);
                case "name" -> texts[2] = MetadataReader.POOL.text(value);
                default -> value.skipChildren();
            }
        });
        return new InfrastructureRef(texts[0], texts[1], texts[2]);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private Metadata template = MetadataReader.absent();
        private String clusterName = "";
        private InfrastructureRef infrastructure = new InfrastructureRef("", "", "");
        private List<MachineTaint> taints = List.of();
        private final List<String> providerIds = new ArrayList<>();
        private final List<NodeRef> nodes = new ArrayList<>();
        private final List<Condition> conditions = new ArrayList<>(0);

        MachinePool pool() {
            return new MachinePool(metadata, clusterName,
                    new Template(template.labels(), template.annotations(), taints), infrastructure, providerIds, nodes,
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
                case "providerIDList" -> Json.elements(p, element -> providerIds.add(Json.text(element)));
                case "template" -> Json.fields(p, this::templateField);
                default -> p.skipChildren();
            }
        }

        private void templateField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> template = MetadataReader.read(p);
                case "spec" -> Json.fields(p, this::machineField);
                default -> p.skipChildren();
            }
        }

        private void machineField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "infrastructureRef" -> infrastructure = infrastructure(p);
                case "taints" -> taints = MachineTaintReader.list(p);
                default -> p.skipChildren();
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            if (field.equals("nodeRefs")) {
                Json.elements(p, element -> nodes.add(node(element)));
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
