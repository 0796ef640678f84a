package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** v1beta2 and v1beta1 alike: the fields read here have the same path in both, but for own conditions. */
final class MachineReader implements Projection.Reader<Machine> {
    @Override
    public Machine read(JsonParser p) throws IOException {
        Parts parts = new Parts();
        Json.fields(p, parts::field);
        return new Machine(parts.metadata, parts.clusterName, parts.providerId, parts.nodeName, parts.taints,
                parts.conditions, parts.truncated);
    }

    private static final class Parts {
        private Metadata metadata = MetadataReader.absent();
        private String clusterName = "";
        private String providerId = "";
        private String nodeName = "";
        private final List<MachineTaint> taints = new ArrayList<>(4);
        private final List<String> truncated = new ArrayList<>(0);
        private final List<Condition> conditions = new ArrayList<>(0);

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "metadata" -> metadata = MetadataReader.limited(p, Machine.MOST_CHARACTERS, truncated::add);
                case "spec" -> Json.fields(p, this::specField);
                case "status" -> Json.fields(p, this::statusField);
                default -> p.skipChildren();
            }
        }

        private void specField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "clusterName" -> clusterName = MetadataReader.POOL.text(p);
                case "providerID" -> providerId = Json.text(p);
                case "taints" -> Json.elements(p, this::taint);
                default -> p.skipChildren();
            }
        }

        private void statusField(String field, JsonParser p) throws IOException {
            switch (field) {
                case "nodeRef" -> Json.field(p, "name", name -> nodeName = Json.text(name));
                case "conditions" -> Json.elements(p, this::condition);
                case "v1beta2" -> Json.field(p, "conditions", list -> Json.elements(list, this::condition));
                default -> p.skipChildren();
            }
        }

        private void taint(JsonParser p) throws IOException {
            String[] texts = Json.pooled(p, Json.NONE, "key", "value", "effect", "propagation");
            taints.add(new MachineTaint(texts[0], texts[1], texts[2], texts[3]));
        }

        /** Keeps Nodeward's own. Custom resources come with the type last. */
        private void condition(JsonParser p) throws IOException {
            String[] texts = Json.pooled(p, Json.NONE, "type", "status", "reason", "message", "lastTransitionTime");
            if (texts[0].startsWith(Condition.PREFIX)) {
                conditions.add(new Condition(texts[0], texts[1], texts[2], texts[3], Json.time(texts[4])));
            }
        }
    }
}
